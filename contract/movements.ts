/**
 * What moves money, and what it moves. Writers post these movements; the replay of a day and the nightly check compute the
 * postings that must be there. The statements that place and settle orders state theirs again in SQL, and a test compares
 * them; the triggers of the database state all of them once more.
 */
import type { LedgerType } from './ledger.ts'

/** The accounts of the ledger: four of each member, and the venue's three. */
export const ledgerAccounts = ['available', 'held', 'stakes', 'fund', 'house', 'grants', 'external'] as const
export type LedgerAccount = (typeof ledgerAccounts)[number]

/** What money moves for, as `ref.kind` of a ledger entry says it: an order, …; practice money belongs to the member. */
export type CauseKind =
  | 'member'
  | 'order'
  | 'deposit'
  | 'withdrawal'
  | 'fund_deposit'
  | 'fund_withdrawal'
  | 'fund_earning'

/** `credit` is no column: whether a deposit was credited, and whether that was reversed. */
type StateColumn = 'status' | 'endedAs' | 'mode' | 'kind' | 'credit'

export type MovementRule = {
  cause: CauseKind
  /** Where the amount of the cause goes. What goes to `held` is a hold. */
  from: LedgerAccount
  to: LedgerAccount
  /** Where the cause says how much, if it is not its amount. */
  of?: 'reversed'
  /** In addition, the venue pays what the order pays out. */
  paysOut?: true
  /** How it ends the hold of its cause. */
  ends?: 'posted' | 'voided'
  /** The states in which the cause has made it, by column; every state if it is left out. */
  when?: Partial<Record<StateColumn, readonly string[]>>
}

const result = { cause: 'order', from: 'stakes', to: 'house', paysOut: true } as const
const held = { from: 'held', ends: 'posted' } as const
const standard = ['standard'] as const

/** Every movement of money; those of one cause in the order in which they are posted. */
export const movements = {
  grant: { cause: 'member', from: 'grants', to: 'available' },
  reset: { cause: 'member', from: 'grants', to: 'available' },
  stake: { cause: 'order', from: 'available', to: 'stakes' },
  payout: { ...result, when: { status: ['won', 'lost', 'tied'] } },
  refund: { ...result, when: { status: ['refunded'] } },
  deposit: {
    cause: 'deposit',
    from: 'external',
    to: 'available',
    when: { credit: ['credited', 'reversed'] },
  },
  deposit_reversed: {
    cause: 'deposit',
    from: 'available',
    to: 'external',
    of: 'reversed',
    when: { credit: ['reversed'] },
  },
  withdrawal_hold: { cause: 'withdrawal', from: 'available', to: 'held' },
  withdrawal_paid: { cause: 'withdrawal', ...held, to: 'external', when: { endedAs: ['paid'] } },
  withdrawal_returned: {
    cause: 'withdrawal',
    from: 'held',
    to: 'available',
    ends: 'voided',
    when: { endedAs: ['refused', 'cancelled'] },
  },
  fund_in: { cause: 'fund_deposit', from: 'available', to: 'fund', when: { kind: ['deposit'] } },
  fund_out: { cause: 'fund_withdrawal', from: 'fund', to: 'available', when: { mode: ['fast'] } },
  fund_out_held: { cause: 'fund_withdrawal', from: 'fund', to: 'held', when: { mode: standard } },
  fund_out_paid: {
    cause: 'fund_withdrawal',
    ...held,
    to: 'available',
    when: { mode: standard, status: ['successful'] },
  },
  fund_earning: { cause: 'fund_earning', from: 'house', to: 'fund' },
} as const satisfies Record<string, MovementRule>

export type MovementKind = keyof typeof movements
export const movementKinds = Object.keys(movements) as MovementKind[]
export const ruleOf = (kind: MovementKind): MovementRule => movements[kind]

const typeOf = (kind: MovementKind): LedgerType =>
  kind === 'fund_out_held' || kind === 'fund_out_paid' ? 'fund_out' : kind

/** The capital record is about `available`: a hold of the fund shows there once it is paid. Earnings stay in the fund. */
export const recordedAccount = (type: LedgerType): LedgerAccount =>
  type === 'fund_earning' ? 'fund' : 'available'

/** What one posting moves, in minor units. */
export type Movement = {
  type: LedgerType
  /** The change of each account. */
  legs: Record<LedgerAccount, number>
  /** The signed amount in the capital record. */
  amount: number
  /** What is added to the member's P&L: the amount that the venue pays. */
  pnl: number
}

/** What a kind of movement moves of an amount, in minor units; `payout` is that of a settled order. */
export function movementOf(kind: MovementKind, amount: number, payout = 0): Movement {
  const { from, to, paysOut } = ruleOf(kind)
  const legs = { available: 0, held: 0, stakes: 0, fund: 0, house: 0, grants: 0, external: 0 }
  legs[from] -= amount
  legs[to] += amount
  if (paysOut) {
    legs.house -= payout
    legs.available += payout
  }
  const type = typeOf(kind)
  return { type, legs, amount: legs[recordedAccount(type)], pnl: 0 - legs.house }
}

/** The kinds of movements that a cause can have, in the order of their postings. */
export const movementsOfCause = (cause: CauseKind): MovementKind[] =>
  movementKinds.filter((kind) => ruleOf(kind).cause === cause)

/** A stored cause, with the columns that its kind has. */
export type CauseRow = Readonly<
  { amount: number; payout?: number | null; reversed?: number | null } & {
    [column in Exclude<StateColumn, 'credit'>]?: string | null
  }
>

/** How much of a stored cause a kind moves. */
export const amountOf = (kind: MovementKind, row: CauseRow): number => row[ruleOf(kind).of ?? 'amount'] ?? 0

/** Those that a cause has made in its state. An earning of nothing moves nothing. */
export const movementsMade = (cause: CauseKind, row: CauseRow): MovementKind[] =>
  movementsOfCause(cause).filter((kind) => amountOf(kind, row) > 0 && isIn(row, ruleOf(kind).when ?? {}))

const isIn = (row: CauseRow, states: NonNullable<MovementRule['when']>): boolean =>
  (Object.keys(states) as StateColumn[]).every((name) => states[name]?.includes(stateOf(row, name)))

function stateOf(row: CauseRow, name: StateColumn): string {
  if (name !== 'credit') return row[name] ?? ''
  if ((row.reversed ?? null) !== null) return 'reversed'
  return row.status === 'successful' ? 'credited' : ''
}
