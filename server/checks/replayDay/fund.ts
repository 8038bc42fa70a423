import { depositDates } from '../../../contract/fund.ts'
import { emptyFundAccount, type FundAccount } from '../../../contract/fundAccount.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import type { PastCalendar } from './calendar.ts'
import { replayFund, type FundCommand, type FundRules, type ReplayedFund } from './fundRules.ts'
import type { MemberRows } from './members.ts'
import { pick, type Replay } from './replay.ts'

export type FundParts = { replay: Replay; calendar: PastCalendar; rules: FundRules }

/** The lock and the postings of a transfer may take this long, so its record can be that much later than its instant. */
const recordDelayMs = 10_000

const accountColumns = Object.keys(emptyFundAccount('')) as (keyof FundAccount)[]
const lotColumns = ['id', 'kind', 'amount', 'remaining', 'status', 'confirmOn', 'madeOn'] as const
const earningColumns = ['onDay', 'amount', 'confirmed', 'per10k', 'carried'] as const

type FundRecordRow = MemberRows['records'][number]

/**
 * A member's fund from the transfers that the venue accepted: account, lots, earnings and records.
 * @returns the fund; null for a member who never used it
 * @throws RowDiffersError
 */
export function replayMemberFund(parts: FundParts, rows: MemberRows): ReplayedFund | null {
  const { replay, calendar, rules } = parts
  const { balance, fundAccount, records, lots, earnings } = rows
  const { memberId } = balance
  const transfers = records.filter(({ kind }) => kind !== 'earning')
  if (!fundAccount) return null
  const name = `member ${memberId}`
  const commands = transfers.map((record) => toCommand(parts, record))
  const fund = replayFund(rules, commands, fundAccount.begunOn)

  for (const record of transfers) {
    const { id, status, onDay, amount } = record
    const made = fund.transfers.get(id)
    const given = { madeOn: calendar.moved ? record.madeOn : calendarDay(calendar, record) }
    const stored = { id, amount, status, onDay, madeOn: record.madeOn }
    const replayed = made ? { id, amount, status: made.status, onDay: made.onDay, ...given } : null
    replay.compare('fund_record', `${record.kind} ${id} of ${name}`, stored, replayed)
  }
  compareLists(
    earnings.map((row) => pick(row, earningColumns)),
    fund.earnings,
    (venue, replayed) =>
      replay.compare('fund_earning', `${(venue ?? replayed)?.onDay ?? ''} of ${name}`, venue, replayed),
  )
  compareLists(
    records
      .filter(({ kind }) => kind === 'earning')
      .map(({ amount, status, onDay }) => ({ onDay, amount, status })),
    fund.earnings
      .filter(({ amount }) => amount > 0)
      .map(({ onDay, amount }) => ({ onDay, amount, status: 'successful' })),
    (venue, replayed) =>
      replay.compare(
        'fund_record',
        `earning ${(venue ?? replayed)?.onDay ?? ''} of ${name}`,
        venue,
        replayed,
      ),
  )
  compareLists(
    lots.map((row) => pick(row, lotColumns)),
    fund.lots.map((lot) => ({ ...lot, ...(lot.kind === 'earnings' && { id: `e-${memberId}` }) })),
    (venue, replayed) =>
      replay.compare('fund_lot', `lot ${(venue ?? replayed)?.id ?? ''} of ${name}`, venue, replayed),
  )
  replay.compare('fund_account', name, pick(fundAccount, accountColumns), pick(fund, accountColumns))
  return fund
}

/** The day on which a record was made; the venue takes it just before it writes the record. */
function calendarDay(calendar: PastCalendar, { at, madeOn }: FundRecordRow): BusinessDay {
  const days = [calendar.dayOf(at), calendar.dayOf(at - recordDelayMs)]
  return days.find((day) => day === madeOn) ?? calendar.dayOf(at)
}

function toCommand({ calendar, rules }: FundParts, record: FundRecordRow): FundCommand {
  const { id, amount, kind, madeOn, mode, at } = record
  const base = { id, amount, madeOn, now: calendar.businessAt(at) }
  if (kind === 'withdrawal' && mode !== null) return { ...base, kind, mode }
  // The dates are those of an instant just before the record's: 15:00 or midnight may be in between.
  const confirmOn = (now: number): BusinessDay => depositDates(now, rules.zone, rules.holidays).confirmOn
  const early = base.now - recordDelayMs
  const isEarly = confirmOn(base.now) !== record.onDay && confirmOn(early) === record.onDay
  return { ...base, kind: 'deposit', ...(isEarly && { now: early }) }
}

/** Calls a function with each pair of two lists, and with what one of them has more. */
function compareLists<T>(
  venue: readonly T[],
  replayed: readonly T[],
  compare: (venue: T | null, replayed: T | null) => void,
): void {
  for (let i = 0; i < Math.max(venue.length, replayed.length); i++)
    compare(venue[i] ?? null, replayed[i] ?? null)
}
