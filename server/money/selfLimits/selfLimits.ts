import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { minor, epochMs, type EpochMs, type Minor } from '../../../contract/units.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import {
  selfLimitFields,
  selfLimitRoutes,
  type PutSelfLimits,
  type SelfLimitField,
  type SelfLimits,
} from '../../../contract/selfLimits.ts'
import { dayMs } from '../../../contract/time.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { balance, memberLimit } from '../schema.ts'
import { member } from '../../platform/db/schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Module } from '../../platform/module.ts'
import type { SettingWatch } from '../../platform/settingWatch.ts'
import { changeLimit, effectiveLimit, noSelfLimit, type SelfLimit } from './change.ts'
import { depositsOfPeriods, pnlOfPeriods } from './periods.ts'
import { createSelfLimitCache, type SelfLimitSet } from './selfLimitCache.ts'

/** Limits and exclusion that members set for themselves. They apply to orders and deposits, never to withdrawals. */
export type SelfLimitPolicy = {
  show(memberId: string): Promise<SelfLimits>
  put(memberId: string, limits: PutSelfLimits): Promise<SelfLimits>
  /**
   * Throws `EXCLUDED` (`until`) or `SELF_LIMIT` (`field`, `max`) if a stake would exceed a limit. The loss of a day, week
   * or month assumes that every open stake is lost. The database's `within_limits` checks the same inside the debit.
   * @param isExact reads the limits from the database, to explain a debit that `within_limits` rejected
   */
  assertStakeAllowed(memberId: string, stake: Minor, isExact?: boolean): Promise<void>
  /** The business time to pass to `within_limits`. */
  businessNow(): number
  /** Throws the same for a deposit. The caller has locked the member's balance, so that concurrent deposits are counted. */
  assertDepositAllowed(tx: DbTransaction, memberId: string, amount: Minor): Promise<void>
}

type Calendar = Pick<BusinessClock, 'now' | 'today' | 'offsetMs' | 'toVenue'>

const lossFields = ['maxDailyLoss', 'maxWeeklyLoss', 'maxMonthlyLoss'] as const
/** An exclusion further ahead than this is rejected as a typing error. */
const excludedMaxMs = 100 * 366 * dayMs

export function createSelfLimitPolicy({
  db,
  business,
  settingWatch,
}: {
  db: Db
  business: Calendar
  settingWatch: SettingWatch
}): SelfLimitPolicy & Module {
  const cache = createSelfLimitCache(db, settingWatch)
  const inForce = (set: SelfLimitSet) => (field: SelfLimitField) =>
    effectiveLimit(field, set[field] ?? noSelfLimit, business.now()).value
  const assertNotExcluded = (until: number | null): void => {
    if (until !== null) throw new ApiError('EXCLUDED', { params: { until: business.toVenue(until) } })
  }
  const policy: SelfLimitPolicy = {
    show: async (memberId) => toView(await cache.readUncached(db, memberId), business),
    put: async (memberId, limits) => {
      const now = business.now()
      const requested = toStored(limits, business)
      const after = await db.transaction(async (tx) => {
        // One change of a member's limits at a time.
        await tx.select({ id: member.id }).from(member).where(eq(member.id, memberId)).for('no key update')
        const before = await cache.readUncached(tx, memberId)
        const set: SelfLimitSet = {}
        for (const field of selfLimitFields) {
          const current = before[field] ?? noSelfLimit
          const value = requested[field]
          const limit = value === undefined ? current : changeLimit(field, current, value, now)
          set[field] = limit
          await save(tx, memberId, field, limit)
        }
        await cache.countChange(tx)
        return set
      })
      cache.evict(memberId)
      return toView(after, business)
    },
    assertStakeAllowed: async (memberId, stake, isExact = false) => {
      const limit = inForce(await (isExact ? cache.readUncached(db, memberId) : cache.read(memberId)))
      assertNotExcluded(limit('excludedUntil'))
      const maxStake = limit('maxStake')
      if (maxStake !== null && stake > maxStake) throw selfLimitError('maxStake', maxStake)
      if (lossFields.every((field) => limit(field) === null)) return
      const [row] = await db.select().from(balance).where(eq(balance.memberId, memberId))
      for (const [field, pnl] of pnlOfPeriods(row, business.today())) {
        const max = limit(field)
        if (max !== null && (row?.stakes ?? 0) + stake - pnl > max) throw selfLimitError(field, max)
      }
    },
    businessNow: () => business.now(),
    assertDepositAllowed: async (tx, memberId, amount) => {
      const limit = inForce(await cache.readUncached(tx, memberId))
      assertNotExcluded(limit('excludedUntil'))
      for (const [field, sum] of await depositsOfPeriods(tx, memberId, business.today())) {
        const max = limit(field)
        if (max !== null && sum + amount > max) throw selfLimitError(field, max)
      }
    },
  }
  return { ...policy, mount: (app) => mountRoutes(app, policy) }
}

/** A member's own limits: shown, and replaced as a whole. */
function mountRoutes(app: FastifyInstance, policy: SelfLimitPolicy): void {
  mount(app, selfLimitRoutes.limits, ({ member }) => policy.show(member.memberId))
  mount(app, selfLimitRoutes.putLimits, ({ member, body }) => policy.put(member.memberId, body))
}

function toView(set: SelfLimitSet, business: Calendar): SelfLimits {
  const now = business.now()
  const effectiveLimits = selfLimitFields.map(
    (field) => [field, effectiveLimit(field, set[field] ?? noSelfLimit, now)] as const,
  )
  const formatLimit = (field: SelfLimitField, value: number | null): string | EpochMs | null =>
    value === null
      ? null
      : field === 'excludedUntil'
        ? epochMs(business.toVenue(value))
        : formatMoney(minor(value))
  return {
    active: Object.fromEntries(
      effectiveLimits.map(([field, limit]) => [field, formatLimit(field, limit.value)]),
    ) as SelfLimits['active'],
    pending: effectiveLimits.flatMap(([field, { next }]) =>
      next
        ? [{ field, value: formatLimit(field, next.value), effectiveAt: epochMs(business.toVenue(next.at)) }]
        : [],
    ),
  }
}

/** The stored form: minor units, and the exclusion as a business time; undefined for what is left out. */
function toStored(limits: PutSelfLimits, business: Calendar): Partial<Record<SelfLimitField, number | null>> {
  const until = limits.excludedUntil === null ? null : limits.excludedUntil + business.offsetMs()
  if (until !== null && until > business.now() + excludedMaxMs) {
    throw new ApiError('VALIDATION', { fields: { excludedUntil: 'INVALID' } })
  }
  const stored: Partial<Record<SelfLimitField, number | null>> = { excludedUntil: until }
  for (const field of selfLimitFields) {
    const amount = field === 'excludedUntil' ? undefined : limits[field]
    if (amount !== undefined) stored[field] = amount === null ? null : moneyOf(amount)
  }
  return stored
}

const selfLimitError = (field: SelfLimitField, max: number): ApiError =>
  new ApiError('SELF_LIMIT', { params: { field, max: formatMoney(minor(max)) } })

async function save(
  tx: DbTransaction,
  memberId: string,
  field: SelfLimitField,
  limit: SelfLimit,
): Promise<void> {
  const set = { value: limit.value, nextValue: limit.next?.value ?? null, nextAt: limit.next?.at ?? null }
  await tx
    .insert(memberLimit)
    .values({ memberId, field, ...set })
    .onConflictDoUpdate({ target: [memberLimit.memberId, memberLimit.field], set })
}
