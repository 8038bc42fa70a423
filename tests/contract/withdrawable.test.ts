import { describe, expect, it } from 'vitest'
import { withdrawableOf } from '../../contract/withdrawable.ts'

const withdrawable = (available: string, accountPnl: string, amount: string, lowestPnl: string): number =>
  withdrawableOf({ available, accountPnl }, { amount, lowestPnl })

describe('what can be withdrawn', () => {
  it('is all of the balance if no deposit waits', () => {
    expect(withdrawableOf({ available: '12.34', accountPnl: '-5.00' }, null)).toBe(1234)
  })

  it.each([
    ['a deposit waits', '150.00', '0.00', '100.00', '0.00', 5000],
    ['it was won with', '230.00', '80.00', '100.00', '0.00', 5000],
    ['what was won before is the member’s', '230.00', '80.00', '100.00', '80.00', 13_000],
    ['a part of as much was lost', '110.00', '-40.00', '100.00', '0.00', 1000],
    ['more than it was lost', '30.00', '-120.00', '100.00', '0.00', 0],
    ['a loss was won back', '150.00', '0.00', '100.00', '-40.00', 1000],
    ['it is staked', '20.00', '0.00', '100.00', '0.00', 0],
  ] as const)('%s', (_what, available, pnl, amount, before, expected) => {
    expect(withdrawable(available, pnl, amount, before)).toBe(expected)
  })
})
