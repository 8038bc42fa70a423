import { describe, expect, it } from 'vitest'
import { ledgerTypes } from '../../contract/ledger.ts'
import {
  amountOf,
  ledgerAccounts,
  movementKinds,
  movementOf,
  movementsMade,
  movementsOfCause,
  ruleOf,
  type CauseKind,
  type CauseRow,
  type MovementKind,
} from '../../contract/movements.ts'
import { fc } from '../support/fastCheck.ts'

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

describe('every movement', () => {
  const kind = fc.constantFrom(...movementKinds)
  const cents = fc.integer({ min: 0, max: 10_000_000_000 })

  it('sums to 0 over all accounts, and the member’s P&L is what the house pays', () => {
    fc.assert(
      fc.property(kind, cents, cents, (moved, amount, payout) => {
        const { legs, pnl } = movementOf(moved, amount, payout)
        expect(sumOf(Object.values(legs))).toBe(0)
        expect(pnl + legs.house).toBe(0)
      }),
    )
  })

  it('names every account, and shows in the capital record what is available, or earned in the fund', () => {
    fc.assert(
      fc.property(kind, cents, cents, (moved, stake, payout) => {
        const { type, legs, amount } = movementOf(moved, stake, payout)
        expect(Object.keys(legs)).toEqual(ledgerAccounts)
        expect(amount).toBe(type === 'fund_earning' ? legs.fund : legs.available)
      }),
    )
  })

  it('has a type of the ledger, and each type a movement', () => {
    expect(new Set(movementKinds.map((moved) => movementOf(moved, 1).type))).toEqual(new Set(ledgerTypes))
  })

  it('that places or ends a hold moves what is held', () => {
    for (const moved of movementKinds) {
      const { from, to, ends } = ruleOf(moved)
      expect([moved, movementOf(moved, 1).legs.held]).toEqual([moved, to === 'held' ? 1 : ends ? -1 : 0])
      if (to === 'held') expect(['available', 'fund']).toContain(from)
    }
  })
})

describe('an amount of 7.00', () => {
  it.each<[MovementKind, number, string]>([
    ['grant', 0, '700 | available 700, grants -700'],
    ['reset', 0, '700 | available 700, grants -700'],
    ['stake', 0, '-700 | available -700, stakes 700'],
    ['payout', 0, '0 | stakes -700, house 700, pnl -700'],
    ['payout', 700, '700 | available 700, stakes -700'],
    ['payout', 1260, '1260 | available 1260, stakes -700, house -560, pnl 560'],
    ['refund', 700, '700 | available 700, stakes -700'],
    ['deposit', 0, '700 | available 700, external -700'],
    ['deposit_reversed', 0, '-700 | available -700, external 700'],
    ['withdrawal_hold', 0, '-700 | available -700, held 700'],
    ['withdrawal_paid', 0, '0 | held -700, external 700'],
    ['withdrawal_returned', 0, '700 | available 700, held -700'],
    ['fund_in', 0, '-700 | available -700, fund 700'],
    ['fund_out', 0, '700 | available 700, fund -700'],
    ['fund_out_held', 0, '0 | held 700, fund -700'],
    ['fund_out_paid', 0, '700 | available 700, held -700'],
    ['fund_earning', 0, '700 | fund 700, house -700, pnl 700'],
  ])('of %s with a payout of %d moves %s', (kind, payout, expected) => {
    const { legs, pnl, amount } = movementOf(kind, 700, payout)
    const moved = Object.entries({ ...legs, pnl }).filter(([, units]) => units !== 0)
    expect(`${amount} | ${moved.map(([name, units]) => `${name} ${units}`).join(', ')}`).toBe(expected)
  })
})

describe('a cause', () => {
  it.each<[string, CauseKind, CauseRow, MovementKind[]]>([
    ['accepted order', 'order', { amount: 1, status: 'accepted' }, ['stake']],
    ['open order', 'order', { amount: 1, status: 'open' }, ['stake']],
    ['lost order', 'order', { amount: 1, status: 'lost', payout: 0 }, ['stake', 'payout']],
    ['won order', 'order', { amount: 1, status: 'won', payout: 2 }, ['stake', 'payout']],
    ['tied order', 'order', { amount: 1, status: 'tied', payout: 1 }, ['stake', 'payout']],
    ['refunded order', 'order', { amount: 1, status: 'refunded', payout: 1 }, ['stake', 'refund']],
    ['deposit under review', 'deposit', { amount: 1, status: 'under_review' }, []],
    ['failed deposit', 'deposit', { amount: 1, status: 'failed' }, []],
    ['credited deposit', 'deposit', { amount: 1, status: 'successful' }, ['deposit']],
    [
      'reversed deposit',
      'deposit',
      { amount: 2, status: 'failed', reversed: 1 },
      ['deposit', 'deposit_reversed'],
    ],
    ['deposit that was lost', 'deposit', { amount: 2, status: 'failed', reversed: 0 }, ['deposit']],
    ['open withdrawal', 'withdrawal', { amount: 1, endedAs: null }, ['withdrawal_hold']],
    ['paid withdrawal', 'withdrawal', { amount: 1, endedAs: 'paid' }, ['withdrawal_hold', 'withdrawal_paid']],
    [
      'refused withdrawal',
      'withdrawal',
      { amount: 1, endedAs: 'refused' },
      ['withdrawal_hold', 'withdrawal_returned'],
    ],
    [
      'cancelled withdrawal',
      'withdrawal',
      { amount: 1, endedAs: 'cancelled' },
      ['withdrawal_hold', 'withdrawal_returned'],
    ],
    ['fund deposit', 'fund_deposit', { amount: 1, kind: 'deposit', status: 'pending_review' }, ['fund_in']],
    ['fast one', 'fund_withdrawal', { amount: 1, mode: 'fast', status: 'successful' }, ['fund_out']],
    [
      'owed one',
      'fund_withdrawal',
      { amount: 1, mode: 'standard', status: 'under_review' },
      ['fund_out_held'],
    ],
    [
      'paid one',
      'fund_withdrawal',
      { amount: 1, mode: 'standard', status: 'successful' },
      ['fund_out_held', 'fund_out_paid'],
    ],
    ['earning', 'fund_earning', { amount: 1 }, ['fund_earning']],
    ['earning of nothing', 'fund_earning', { amount: 0 }, []],
  ])('that is a %s of the kind %s has made its movements', (_what, cause, row, kinds) => {
    expect(movementsMade(cause, row)).toEqual(kinds)
    expect(movementsOfCause(cause)).toEqual(expect.arrayContaining(kinds))
  })

  it('moves its amount, and back only what was there of a reversed deposit', () => {
    const row = { amount: 700, status: 'failed', reversed: 300 }
    const moved = movementsMade('deposit', row).map((kind) => movementOf(kind, amountOf(kind, row)).legs)
    expect(sumOf(moved.map(({ available }) => available))).toBe(400)
  })

  it.each<[CauseKind, CauseRow]>([
    ['order', { amount: 700, status: 'won', payout: 1260 }],
    ['withdrawal', { amount: 700, endedAs: 'paid' }],
    ['withdrawal', { amount: 700, endedAs: 'cancelled' }],
    ['fund_withdrawal', { amount: 700, mode: 'standard', status: 'successful' }],
  ])('of the kind %s leaves nothing staked or on hold once it has ended', (cause, row) => {
    const moved = movementsMade(cause, row).map((kind) => movementOf(kind, row.amount, row.payout ?? 0).legs)
    expect(sumOf(moved.map(({ stakes }) => stakes))).toBe(0)
    expect(sumOf(moved.map(({ held }) => held))).toBe(0)
  })
})
