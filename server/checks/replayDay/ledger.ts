import {
  movementsMade,
  ledgerAccounts,
  movementOf,
  ruleOf,
  type CauseKind,
  type CauseRow,
} from '../../../contract/movements.ts'
import type { PostingRow } from '../../money/index.ts'
import type { PastCalendar } from './calendar.ts'
import { expectedPostings, refOf, type ExpectedPosting, type ExpectedPostings } from './commands.ts'
import type { ReplayedFund } from './fundRules.ts'
import type { MemberRows } from './members.ts'
import { pick, type Replay, type Row } from './replay.ts'

type Balance = {
  available: number
  held: number
  stakes: number
  fund: number
  pnl: number
  todayPnl: number
  todayOn: string
  version: number
}
const balanceColumns = ['available', 'held', 'stakes', 'fund', 'pnl', 'version'] as const
const todayColumns = ['todayPnl', 'todayOn'] as const
const postingColumns = [
  'id',
  'at',
  'type',
  'amount',
  ...ledgerAccounts,
  'pnl',
  'availableAfter',
  'heldAfter',
  'stakesAfter',
  'fundAfter',
  'pnlAfter',
  'refKind',
  'refId',
] as const

/**
 * A member's ledger: each posting from the command that it refers to and the balance before it, then balance and holds.
 * The order of a member's postings is taken from their numbers, since commands at the same time may come in any order.
 * @throws RowDiffersError
 */
export function replayMemberLedger(
  { replay, calendar }: { replay: Replay; calendar: PastCalendar },
  rows: MemberRows,
  fund: ReplayedFund | null,
): void {
  const { memberId } = rows.balance
  const expected = expectedPostings(rows, fund)
  const balance: Balance = {
    available: 0,
    held: 0,
    stakes: 0,
    fund: 0,
    pnl: 0,
    todayPnl: 0,
    todayOn: '',
    version: 0,
  }
  for (const row of rows.postings) {
    const found = row.refKind === 'member' ? ofVenue(row, balance) : takeExpected(expected, row)
    const name = `posting ${row.id} of member ${memberId}`
    const venue = pick(row, postingColumns)
    if (!found) replay.compare('posting', name, venue, null)
    else replay.compare('posting', name, venue, post(balance, row, found, calendar))
  }
  for (const [ref, left] of expected) {
    const [missing] = left
    if (missing)
      replay.compare('posting', `${missing.type} of ${ref} of member ${memberId}`, null, {
        type: missing.type,
        amount: missing.amount,
      })
  }
  // Instants do not show the days of a calendar that was moved.
  const columns = calendar.moved ? balanceColumns : [...balanceColumns, ...todayColumns]
  replay.compare('balance', `member ${memberId}`, pick(rows.balance, columns), pick(balance, columns))
  compareHolds(replay, rows)
}

/**
 * A grant or a reset: the venue's own, whose amount is taken as it is. A member gets one grant, as the first posting,
 * and no reset while orders are open.
 */
function ofVenue({ type, amount, id }: PostingRow, balance: Balance): ExpectedPosting | null {
  if (type === 'grant' && id === 1) return movementOf('grant', amount)
  return type === 'reset' && balance.stakes === 0 ? movementOf('reset', amount) : null
}

/** The next posting of what a posting refers to. */
function takeExpected(expected: ExpectedPostings, { refKind, refId }: PostingRow): ExpectedPosting | null {
  return expected.get(refOf(refKind, refId))?.shift() ?? null
}

/** Applies a posting to the balance, and returns its row. */
function post(
  balance: Balance,
  { at: storedAt, refKind, refId }: PostingRow,
  { type, legs, amount, pnl, at: givenAt }: ExpectedPosting,
  calendar: PastCalendar,
): Row {
  const at = givenAt ?? storedAt
  balance.version += 1
  balance.available += legs.available
  balance.held += legs.held
  balance.stakes += legs.stakes
  balance.fund += legs.fund
  balance.pnl += pnl
  // Placing an order has no part in a day's result.
  if (type !== 'stake') {
    const today = calendar.dayOf(at)
    balance.todayPnl = (balance.todayOn === today ? balance.todayPnl : 0) + pnl
    balance.todayOn = today
  }
  return {
    id: balance.version,
    at,
    type,
    amount,
    ...legs,
    pnl,
    availableAfter: balance.available,
    heldAfter: balance.held,
    stakesAfter: balance.stakes,
    fundAfter: balance.fund,
    pnlAfter: balance.pnl,
    refKind,
    refId,
  }
}

type Hold = {
  id: string
  source: string
  amount: number
  refKind: string
  refId: string
  outcome: string | null
}

/** The holds that withdrawals must have, with the outcome of those that ended. */
function compareHolds(replay: Replay, { holds, withdrawals, records }: MemberRows): void {
  const expected = new Map<string, Hold>()
  const expect = (refKind: CauseKind, holdId: string, row: CauseRow & { id: string }): void => {
    const rules = movementsMade(refKind, row).map(ruleOf)
    const source = rules.find(({ to }) => to === 'held')?.from ?? ''
    const outcome = rules.find(({ ends }) => ends)?.ends ?? null
    expected.set(holdId, { id: holdId, source, amount: row.amount, refKind, refId: row.id, outcome })
  }
  for (const row of withdrawals) expect('withdrawal', row.holdId, row)
  for (const row of records) if (row.holdId !== null) expect('fund_withdrawal', row.holdId, row)
  const columns = ['id', 'source', 'amount', 'refKind', 'refId', 'outcome'] as const
  for (const row of holds) {
    replay.compare('hold', row.id, pick(row, columns), expected.get(row.id) ?? null)
    expected.delete(row.id)
  }
  for (const [id, row] of expected) replay.compare('hold', id, null, row)
}
