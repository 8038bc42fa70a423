import { and, eq, ne, sql } from 'drizzle-orm'
import { minor } from '../../contract/brand.ts'
import type { Minor } from '../../contract/brand.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import { limitFields } from '../../contract/wallet.ts'
import type { LimitField, Limits } from '../../contract/wallet.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { balance } from '../db/schema/ledger.ts'
import { memberLimit } from '../db/schema/limits.ts'
import { member } from '../db/schema/member.ts'
import { deposit } from '../db/schema/wallet.ts'
import { Refusal } from '../http/refusal.ts'
import { changed, limitAt, noLimit } from './change.ts'
import type { Limit } from './change.ts'
import { createLimitCache } from './limitCache.ts'
import type { LimitSet } from './limitCache.ts'

/** Limits and exclusion that members set for themselves. They bar orders and deposits, never a withdrawal. */
export type MemberLimits = {
  show(memberId: string): Promise<Limits>
  put(memberId: string, wanted: Limits['active']): Promise<Limits>
  /**
   * Throws 423 `EXCLUDED` (`until`) or `SELF_LIMIT` (`field`, `max`) where a stake would pass a limit; a day's loss is
   * taken at its worst, with every open stake lost. The database's `within_limits` asks the same inside the debit.
   */
  refuseStake(memberId: string, stake: Minor): Promise<void>
  /** The business instant that `within_limits` is asked for. */
  now(): number
  /** The same for a deposit; the caller has locked the member's balance, so that deposits sent at once are counted. */
  refuseDeposit(tx: DbTransaction, memberId: string, amount: Minor): Promise<void>
}

type Calendar = Pick<BusinessClock, 'now' | 'today' | 'offsetMs' | 'toVenue'>

/** An exclusion further ahead than this is a slip. */
const excludedMaxMs = 100 * 366 * 86_400_000

export function createLimits({ db, business }: { db: Db; business: Calendar }): MemberLimits {
  const cache = createLimitCache(db)
  const inForce = async (memberId: string, on: Db | DbTransaction = db) => {
    const set = await cache.read(memberId, on)
    return (field: LimitField) => limitAt(field, set[field] ?? noLimit, business.now()).value
  }
  const refuseExcluded = (until: number | null): void => {
    if (until !== null) throw new Refusal(423, 'EXCLUDED', { params: { until: business.toVenue(until) } })
  }
  const viewOf = (set: LimitSet): Limits => {
    const now = business.now()
    const limits = limitFields.map((field) => [field, limitAt(field, set[field] ?? noLimit, now)] as const)
    const shown = (field: LimitField, value: number | null): string | number | null =>
      value === null ? null : field === 'excludedUntil' ? business.toVenue(value) : formatMoney(minor(value))
    return {
      active: Object.fromEntries(limits.map(([f, limit]) => [f, shown(f, limit.value)])) as Limits['active'],
      pending: limits.flatMap(([field, { next }]) =>
        next ? [{ field, value: shown(field, next.value), effectiveAt: business.toVenue(next.at) }] : [],
      ),
    }
  }

  return {
    show: async (memberId) => viewOf(await cache.read(memberId)),
    put: async (memberId, wanted) => {
      const now = business.now()
      const asked = storedForm(wanted, business)
      const after = await db.transaction(async (tx) => {
        // One change of a member's limits at a time.
        await tx.select({ id: member.id }).from(member).where(eq(member.id, memberId)).for('no key update')
        const before = await cache.readIn(tx, memberId)
        const set: LimitSet = {}
        for (const field of limitFields) {
          const limit = changed(field, before[field] ?? noLimit, asked[field], now)
          set[field] = limit
          await save(tx, memberId, field, limit)
        }
        return set
      })
      cache.forget(memberId)
      return viewOf(after)
    },
    refuseStake: async (memberId, stake) => {
      const limit = await inForce(memberId)
      refuseExcluded(limit('excludedUntil'))
      const maxStake = limit('maxStake')
      if (maxStake !== null && stake > maxStake) throw selfLimit('maxStake', maxStake)
      const maxLoss = limit('maxDailyLoss')
      if (maxLoss === null) return
      const [row] = await db.select().from(balance).where(eq(balance.memberId, memberId))
      const pnlToday = row?.todayOn === business.today() ? row.todayPnl : 0
      if ((row?.stakes ?? 0) + stake - pnlToday > maxLoss) throw selfLimit('maxDailyLoss', maxLoss)
    },
    now: () => business.now(),
    refuseDeposit: async (tx, memberId, amount) => {
      const limit = await inForce(memberId, tx)
      refuseExcluded(limit('excludedUntil'))
      const max = limit('maxDailyDeposit')
      if (max === null) return
      const ofToday = and(
        eq(deposit.memberId, memberId),
        eq(deposit.createdOn, business.today()),
        ne(deposit.status, 'failed'),
      )
      const [row] = await tx
        .select({ sum: sql<number>`coalesce(sum(${deposit.amount}), 0)::bigint` })
        .from(deposit)
        .where(ofToday)
      if ((row?.sum ?? 0) + amount > max) throw selfLimit('maxDailyDeposit', max)
    },
  }
}

/** As the database keeps them: minor units, and the exclusion as a business instant. */
function storedForm(wanted: Limits['active'], business: Calendar): Record<LimitField, number | null> {
  const { excludedUntil } = wanted
  const units = (text: string | null): number | null => (text === null ? null : moneyOf(text))
  const until = excludedUntil === null ? null : excludedUntil + business.offsetMs()
  if (until !== null && until > business.now() + excludedMaxMs) {
    throw new Refusal(400, 'VALIDATION', { fields: { excludedUntil: 'INVALID' } })
  }
  return {
    maxStake: units(wanted.maxStake),
    maxDailyLoss: units(wanted.maxDailyLoss),
    maxDailyDeposit: units(wanted.maxDailyDeposit),
    excludedUntil: until,
  }
}

const selfLimit = (field: LimitField, max: number): Refusal =>
  new Refusal(423, 'SELF_LIMIT', { params: { field, max: formatMoney(minor(max)) } })

async function save(tx: DbTransaction, memberId: string, field: LimitField, limit: Limit): Promise<void> {
  const set = { value: limit.value, nextValue: limit.next?.value ?? null, nextAt: limit.next?.at ?? null }
  await tx
    .insert(memberLimit)
    .values({ memberId, field, ...set })
    .onConflictDoUpdate({ target: [memberLimit.memberId, memberLimit.field], set })
}
