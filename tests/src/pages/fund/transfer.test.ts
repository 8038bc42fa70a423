import { describe, expect, it } from 'vitest'
import { minor, epochMs } from '../../../../contract/units.ts'
import { startOfDay } from '../../../../contract/time.ts'
import {
  dailyEarnings,
  directionOf,
  depositAmountError,
  withdrawalAmountError,
  maxTransferOut,
  payDayOf,
  tradeDayOf,
} from '../../../../src/pages/fund/transfer.ts'
import { nextChangeAt } from '../../../../src/pages/fund/useFund.ts'

describe('transfer in', () => {
  const rules = { minDeposit: '1.00' }
  it.each([
    ['', { kind: 'empty' }],
    ['.', { kind: 'empty' }],
    ['0.00', { kind: 'empty' }],
    ['0.99', { kind: 'under', min: 100 }],
    ['1', undefined],
    ['500.00', undefined],
    ['500.01', { kind: 'overAvailable', max: 50_000 }],
    ['99999999999999999999', { kind: 'overAvailable', max: 50_000 }],
  ])('validates the amount %j', (typed, error) => {
    expect(depositAmountError(typed, minor(50_000), rules)).toEqual(error)
  })

  it.each([
    ['10000', '0.4818', 48],
    ['1000.00', '0.4818', 4],
    ['100', '0.4818', 0],
    ['', '0.4818', undefined],
    ['100', 'x', undefined],
  ])('estimates for %j at %s earnings of %s cents a day', (typed, per10k, cents) => {
    expect(dailyEarnings(typed, per10k)).toBe(cents)
  })

  it('counts for the day of the next cut-off, by the business calendar', () => {
    const zone = 'Asia/Shanghai'
    const cutoffAt = startOfDay('2026-11-23', zone) + 15 * 3_600_000
    expect(tradeDayOf({ cutoffAt: epochMs(cutoffAt) }, 0, zone)).toBe('2026-11-23')
    expect(tradeDayOf({ cutoffAt: epochMs(cutoffAt) }, 12 * 86_400_000, zone)).toBe('2026-12-05')
  })
})

describe('transfer out', () => {
  const fund = { confirmed: '800.00', fastLeft: '300.00' }
  it.each([
    ['', 'fast', { kind: 'empty' }],
    ['300', 'fast', undefined],
    ['300.01', 'fast', { kind: 'overFast', max: 30_000 }],
    ['300.01', 'standard', undefined],
    ['800.01', 'fast', { kind: 'overConfirmed', max: 80_000 }],
    ['800.01', 'standard', { kind: 'overConfirmed', max: 80_000 }],
  ] as const)('validates the amount %j in mode %s', (typed, mode, error) => {
    expect(withdrawalAmountError(typed, fund, mode)).toEqual(error)
  })

  it('is limited to the confirmed share, and in fast mode to the cap of the day', () => {
    expect([maxTransferOut(fund, 'fast'), maxTransferOut(fund, 'standard')]).toEqual([30_000, 80_000])
    expect(maxTransferOut({ confirmed: '10.00', fastLeft: '300.00' }, 'fast')).toBe(1000)
  })

  it.each([
    ['2026-11-19', [], '2026-11-20'],
    ['2026-11-20', [], '2026-11-23'],
    ['2026-11-20', ['2026-11-23', '2026-11-24'], '2026-11-25'],
  ])('requested on %s (holidays %j) is paid on %s', (today, holidays, paid) => {
    expect(payDayOf(today, { holidays })).toBe(paid)
  })
})

it('uses the direction "in" by default', () => {
  const parse = (text: string) => directionOf(new URLSearchParams(text))
  expect(['', 'direction=in', 'direction=out', 'direction=sideways'].map(parse)).toEqual([
    'in',
    'in',
    'out',
    'in',
  ])
})

it('returns the earlier of cut-off and reset as the next change', () => {
  expect(nextChangeAt({ cutoffAt: epochMs(5), resetAt: epochMs(3) })).toBe(3)
  expect(nextChangeAt({ cutoffAt: epochMs(2), resetAt: epochMs(3) })).toBe(2)
})
