import { hash } from 'node:crypto'
import { asc, gt } from 'drizzle-orm'
import { startOfDay, addDays, type BusinessDay } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { balance, fundRate } from '../../money/index.ts'
import { firstViolation, verifyLog, openReplayLog } from '../../market/index.ts'
import { readCalendar } from './calendar.ts'
import { replayMemberFund } from './fund.ts'
import { replayMemberLedger } from './ledger.ts'
import { readMembers } from './members.ts'
import { replayOrders } from './orders.ts'
import { Replay, RowDiffersError } from './replay.ts'

export type ReplayOptions = {
  /** The orders of this day in the zone are settled again; null: every order. */
  day: BusinessDay | null
  zone: string
  /** The days, besides weekends, on which the fund does not trade. */
  holidays: ReadonlySet<BusinessDay>
  onProgress: (line: string) => void
}
export type ReplayReport = {
  ticks: number
  /** How many rows of each table were compared, up to the first that differs. */
  rows: { orders: number; answers: number; postings: number; fund: number }
  /** Orders whose ticks were cut out of a damaged log. They cannot be settled again. */
  cut: number
} & (
  | { difference: null; /** SHA-256 of every row compared. */ digest: string }
  | { difference: { message: string; venue: object | null; replay: object | null } }
)

const membersPerRead = 100
const sha = (text: string): string => hash('sha256', text)

/**
 * Computes what a venue stored again, from its ticks and from the commands that it accepted, by the rules of the contract,
 * and compares row by row. It reads one snapshot and writes nothing, so venues may run meanwhile.
 *
 * The tick log, the ledger and the fund are replayed from their beginning, whatever the day: each of their rows follows
 * from the one before.
 */
export function replayDay(db: Db, options: ReplayOptions): Promise<ReplayReport> {
  return db.transaction((tx) => replaySnapshot(tx, options), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
}

/** Like {@link replayDay}, in a transaction that is already open. */
export async function replaySnapshot(tx: DbTransaction, options: ReplayOptions): Promise<ReplayReport> {
  const replay = new Replay()
  let ticks = 0
  let cut = 0
  const counts = () => ({
    ticks,
    cut,
    rows: {
      orders: replay.count('orders'),
      answers: replay.count('idempotency'),
      postings: replay.count('posting'),
      fund: ['fund_record', 'fund_earning', 'fund_lot', 'fund_account'].reduce(
        (sum, table) => sum + replay.count(table),
        0,
      ),
    },
  })
  const { onProgress, day, zone } = options
  const log = await verifyLog(tx, sha, (chunks, count) => onProgress(`${chunks} chunks, ${count} ticks`))
  ticks = log.ticks
  const violation = firstViolation(log)
  if (violation) return { ...counts(), difference: { message: violation.message, venue: null, replay: null } }
  try {
    const replayLog = await openReplayLog(tx, sha)
    for (const [id, head] of replayLog.heads) replay.compare('head', id, head, head)
    const range = day === null ? null : { from: startOfDay(day, zone), to: startOfDay(addDays(day, 1), zone) }
    ;({ cut } = await replayOrders({ db: tx, log: replayLog, replay, range, onProgress }))
    await replayMembers(tx, replay, options)
    return { ...counts(), difference: null, digest: replay.digest() }
  } catch (error) {
    if (!(error instanceof RowDiffersError)) throw error
    const { message, venue, replay: replayed } = error
    return { ...counts(), difference: { message, venue, replay: replayed } }
  }
}

/** Fund and ledger of every member. */
async function replayMembers(tx: DbTransaction, replay: Replay, options: ReplayOptions): Promise<void> {
  const { zone, holidays, onProgress } = options
  const calendar = await readCalendar(tx, zone)
  const rates = new Map((await tx.select().from(fundRate)).map(({ onDay, per10k }) => [onDay, per10k]))
  const rules = { zone, holidays, per10k: (day: BusinessDay) => rates.get(day) }
  let after = ''
  let members = 0
  for (;;) {
    const page = await tx
      .select({ memberId: balance.memberId })
      .from(balance)
      .where(gt(balance.memberId, after))
      .orderBy(asc(balance.memberId))
      .limit(membersPerRead)
    const last = page.at(-1)
    if (!last) return
    after = last.memberId
    const ids = page.map(({ memberId }) => memberId)
    for (const rows of await readMembers(tx, ids)) {
      const fund = replayMemberFund({ replay, calendar, rules }, rows)
      replayMemberLedger({ replay, calendar }, rows, fund)
    }
    members += page.length
    onProgress(`${members} members`)
  }
}
