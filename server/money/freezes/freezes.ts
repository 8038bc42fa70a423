import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Freeze } from '../../../contract/office/freeze.ts'
import { freezeReasons, type FreezeReason } from '../../../contract/freeze.ts'
import { dayMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog, Messages } from '../../notices/index.ts'
import type { Db, DbTransaction, WithinTransaction } from '../../platform/db/database.ts'
import { memberFreeze, type MemberFreezeRow } from '../schema.ts'
import { member } from '../../platform/db/schema.ts'
import { rereadJobs } from '../../platform/jobs.ts'
import type { Core, Module } from '../../platform/module.ts'
import type { Clock, Random } from '../../platform/ports.ts'

/** By contract at most this, unless two persons renew it. */
const freezeMs = 14 * dayMs

/** Freezes of accounts: the only way in which the staff can stop a withdrawal. */
export type Freezes = {
  /** Until when the member may only read; null if not frozen. From memory. */
  frozenUntil(memberId: string): number | null
  current(memberId: string, on?: Db | DbTransaction): Promise<Freeze | null>
  /**
   * Throws `ACCOUNT_FROZEN` if the account is frozen, as the database has it. With `tx` it locks the member's row: no freeze
   * begins before the transaction ends.
   */
  assertNotFrozen(memberId: string, tx?: DbTransaction): Promise<void>
  /** How many accounts are frozen, by reason. */
  counts(): Record<FreezeReason, number>
  /** Throws `CONFLICT` if it is frozen already. */
  freeze(memberId: string, how: FreezeHow, actor: string, within: WithinTransaction): Promise<Freeze>
  /** These throw `NOT_FOUND` if the account is not frozen. */
  renew(memberId: string, actor: string, within: WithinTransaction): Promise<Freeze>
  end(memberId: string, actor: string): Promise<Freeze>
}
export type FreezeHow = { reason: FreezeReason; tellMember: boolean }

export type FreezesParts = Pick<Core, 'cluster'> & {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  actLog: Pick<ActLog, 'write'>
  messages: Pick<Messages, 'send'>
}

const link = 'pages/service/service'

/** Reads the accounts that are frozen, and follows what other nodes change. */
export async function openFreezes(parts: FreezesParts): Promise<Freezes & Module> {
  const { db, clock, cluster } = parts
  let frozen = new Map<string, MemberFreezeRow>()
  let readings = 0
  const reread = async (): Promise<void> => {
    const reading = (readings += 1)
    const rows = await db.select().from(memberFreeze).where(isActive(clock.now()))
    // A reading that began before a newer one does not replace it.
    if (reading === readings) frozen = new Map(rows.map((row) => [row.memberId, row]))
  }
  await reread()
  const active = (): MemberFreezeRow[] => [...frozen.values()].filter(({ untilAt }) => untilAt > clock.now())
  const current: Freezes['current'] = async (memberId, on = db) => {
    const row = await activeRow(on, memberId, clock.now())
    return row ? toFreeze(row) : null
  }
  return {
    frozenUntil: (memberId) => {
      const untilAt = frozen.get(memberId)?.untilAt ?? 0
      return untilAt > clock.now() ? untilAt : null
    },
    current,
    assertNotFrozen: async (memberId, tx) => {
      if (tx) await tx.select({ id: member.id }).from(member).where(eq(member.id, memberId)).for('share')
      const freeze = await current(memberId, tx)
      if (freeze) throw new ApiError('ACCOUNT_FROZEN', { params: { until: freeze.until } })
    },
    counts: () => {
      const rows = active()
      const counted = freezeReasons.map((reason) => [
        reason,
        rows.filter((row) => row.reason === reason).length,
      ])
      return Object.fromEntries(counted) as Record<FreezeReason, number>
    },
    ...createChanges(parts, reread),
    jobs: rereadJobs(cluster, 'read frozen accounts again', reread),
  }
}

/** Each change is one transaction with its row of the act log and the member's message. */
function createChanges(
  parts: FreezesParts,
  reread: () => Promise<void>,
): Pick<Freezes, 'freeze' | 'renew' | 'end'> {
  const { db, clock, random, actLog } = parts
  const change = async (
    memberId: string,
    { actor, act }: { actor: string; act: string },
    work: (tx: DbTransaction) => Promise<MemberFreezeRow>,
  ): Promise<Freeze> => {
    const { row, notify } = await db.transaction(async (tx) => {
      const row = await work(tx)
      const subject = { kind: 'freeze', id: row.id }
      const details = { reason: row.reason, until: row.untilAt }
      await actLog.write(tx, { actor, act, subject, memberId, details })
      return { row, notify: await tellMember(parts, tx, row) }
    })
    await reread()
    notify()
    return toFreeze(row)
  }
  return {
    freeze: async (memberId, how, actor, within) => {
      const fromAt = clock.now()
      const row = { id: random.uuid(), memberId, ...how, fromAt, untilAt: fromAt + freezeMs }
      return change(memberId, { actor, act: 'freeze' }, async (tx) => {
        // Payments of the member hold it while they check that there is no freeze.
        await tx.select({ id: member.id }).from(member).where(eq(member.id, memberId)).for('no key update')
        await within(tx)
        await closeOver(tx, memberId, fromAt)
        const [written] = await tx.insert(memberFreeze).values(row).onConflictDoNothing().returning()
        if (!written) throw new ApiError('CONFLICT')
        return written
      })
    },
    renew: (memberId, actor, within) =>
      change(memberId, { actor, act: 'renew-freeze' }, async (tx) => {
        await within(tx)
        const row = await lockedRow(tx, memberId, clock.now())
        const set = { untilAt: clock.now() + freezeMs, renewals: row.renewals + 1 }
        return updated(tx, row, set)
      }),
    end: (memberId, actor) =>
      change(memberId, { actor, act: 'unfreeze' }, async (tx) =>
        updated(tx, await lockedRow(tx, memberId, clock.now()), { endedAt: clock.now(), endedBy: actor }),
      ),
  }
}

const isActive = (now: number) => and(isNull(memberFreeze.endedAt), gt(memberFreeze.untilAt, now))

async function activeRow(
  on: Db | DbTransaction,
  memberId: string,
  now: number,
): Promise<MemberFreezeRow | undefined> {
  const [row] = await on
    .select()
    .from(memberFreeze)
    .where(and(eq(memberFreeze.memberId, memberId), isActive(now)))
    .orderBy(desc(memberFreeze.fromAt))
  return row
}

async function lockedRow(tx: DbTransaction, memberId: string, now: number): Promise<MemberFreezeRow> {
  const own = and(eq(memberFreeze.memberId, memberId), isActive(now))
  const [row] = await tx.select().from(memberFreeze).where(own).for('update')
  if (!row) throw new ApiError('NOT_FOUND')
  return row
}

async function updated(
  tx: DbTransaction,
  { id }: MemberFreezeRow,
  set: Partial<MemberFreezeRow>,
): Promise<MemberFreezeRow> {
  const [row] = await tx.update(memberFreeze).set(set).where(eq(memberFreeze.id, id)).returning()
  return row ?? throwMissing()
}

/** A freeze that ran out by itself is closed when the account is frozen again. */
async function closeOver(tx: DbTransaction, memberId: string, now: number): Promise<void> {
  const [row] = await tx
    .select()
    .from(memberFreeze)
    .where(and(eq(memberFreeze.memberId, memberId), isNull(memberFreeze.endedAt)))
  if (row && row.untilAt <= now) await updated(tx, row, { endedAt: row.untilAt, endedBy: 'expired' })
}

async function tellMember(
  { messages }: FreezesParts,
  tx: DbTransaction,
  row: MemberFreezeRow,
): Promise<() => void> {
  const { memberId, reason, untilAt, endedAt } = row
  // Without a message only if the law forbids one; the calls that are refused still say that it is frozen.
  if (!row.tellMember) return () => undefined
  return endedAt === null
    ? messages.send(tx, { memberId, key: 'accountFrozen', params: { reason, until: String(untilAt) }, link })
    : messages.send(tx, { memberId, key: 'accountUnfrozen', params: {}, link })
}

function toFreeze(row: MemberFreezeRow): Freeze {
  const { id, memberId, reason, fromAt, untilAt, renewals, endedAt, endedBy } = row
  return {
    id,
    memberId,
    reason,
    from: fromAt,
    until: untilAt,
    renewals,
    tellMember: row.tellMember,
    endedAt,
    endedBy,
  }
}

function throwMissing(): never {
  throw new Error('The change of a freeze returned no row.')
}
