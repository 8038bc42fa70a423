import { describe, expect, it } from 'vitest'
import { minor } from '../../contract/units.ts'
import {
  annualisedBp,
  cutoffOf,
  dayEarnings,
  depositDates,
  isTradingDay,
  nextTradingDay,
  parsePer10k,
} from '../../contract/fund.ts'
import { fc } from '../support/fastCheck.ts'

const zone = 'Asia/Shanghai'
const holidays = new Set(['2026-01-01'])
const at = (local: string): number => Date.parse(`${local}+08:00`)

describe('depositDates', () => {
  it.each([
    ['2026-11-16T14:59:59.999', '2026-11-17', '2026-11-18'],
    ['2026-11-16T15:00:00.000', '2026-11-18', '2026-11-19'],
    ['2026-11-19T10:00:00.000', '2026-11-20', '2026-11-21'],
    ['2026-11-20T10:05:00.000', '2026-11-23', '2026-11-24'],
    ['2026-11-20T15:42:00.000', '2026-11-24', '2026-11-25'],
    ['2026-11-21T00:00:00.000', '2026-11-24', '2026-11-25'],
    ['2026-11-22T23:59:59.999', '2026-11-24', '2026-11-25'],
    ['2025-12-31T09:00:00.000', '2026-01-02', '2026-01-03'],
    ['2026-01-01T09:00:00.000', '2026-01-05', '2026-01-06'],
  ])('made %s: confirmed and earning on %s, first credited on %s', (local, confirmOn, firstCreditOn) => {
    expect(depositDates(at(local), zone, holidays)).toEqual({
      confirmOn,
      firstEarningOn: confirmOn,
      firstCreditOn,
    })
  })

  // Egypt changes its clocks in the night to a Friday, which is a trading day.
  it.each([
    ['2026-04-23', '2026-04-23T13:00:00.000Z'],
    ['2026-04-24', '2026-04-24T12:00:00.000Z'],
    ['2026-10-30', '2026-10-30T13:00:00.000Z'],
  ])('the cut-off of %s is 15:00 local time', (day, iso) => {
    const cutoff = cutoffOf(day, 'Africa/Cairo')
    expect(new Date(cutoff).toISOString()).toBe(iso)
    const confirmOn = (made: number) => depositDates(made, 'Africa/Cairo', holidays).confirmOn
    expect(confirmOn(cutoff - 1) < confirmOn(cutoff)).toBe(true)
  })

  it('weekends and holidays are not trading days', () => {
    expect(
      ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'].map((day) => isTradingDay(day, holidays)),
    ).toEqual([false, true, false, false])
    expect(nextTradingDay('2025-12-31', holidays)).toBe('2026-01-02')
  })
})

describe('dayEarnings', () => {
  it.each([
    [2_840_000, 4685, 0, 133, 5_400_000],
    [100, 10_000, 0, 0, 1_000_000],
    [100, 10_000, 99_000_000, 1, 0],
    [0, 9999, 5, 0, 5],
  ])(
    '%i cents at %i earn with %i carried: %i cents, %i carried on',
    (confirmed, per10k, carried, earned, left) => {
      expect(dayEarnings(minor(confirmed), per10k, carried)).toEqual({ earned, carried: left })
    },
  )

  it('over a year the sum of the earnings is the floor of the exact sum', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ confirmed: fc.nat(10 ** 11), per10k: fc.nat(30_000) }), {
          minLength: 1,
          maxLength: 365,
        }),
        (days) => {
          let carried = 0
          let earned = 0n
          let exact = 0n
          for (const day of days) {
            const step = dayEarnings(minor(day.confirmed), day.per10k, carried)
            carried = step.carried
            earned += BigInt(step.earned)
            exact += BigInt(day.confirmed) * BigInt(day.per10k)
          }
          expect(earned).toBe(exact / 100_000_000n)
        },
      ),
    )
  })

  it.each([
    ['0.4712', 4712],
    ['12.0000', 120_000],
    ['0.471', undefined],
    ['-0.4712', undefined],
  ])('parses per10k %s as %s', (text, units) => {
    expect(parsePer10k(text)).toBe(units)
  })

  it('the annual rate is the daily mean times 365', () => {
    expect(annualisedBp([4712, 4712, 4712, 4712, 4712, 4712, 4712])).toBe(172)
    expect(annualisedBp([])).toBe(0)
  })
})
