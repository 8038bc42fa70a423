import { describe, expect, it } from 'vitest'
import { formatMoney } from '../../../../contract/money.ts'
import { minor, epochMs } from '../../../../contract/units.ts'
import { looseningDelayMs, type SelfLimits } from '../../../../contract/selfLimits.ts'
import { changeLimit, effectiveLimit, type SelfLimit } from '../../../../server/money/selfLimits/change.ts'
import { effectOf, longerPauses, withLimit } from '../../../../src/pages/selfLimits/selfLimits.ts'
import { fc } from '../../../support/fastCheck.ts'

const now = 1_000_000
const noLimits = {
  maxStake: null,
  maxDailyLoss: null,
  maxWeeklyLoss: null,
  maxMonthlyLoss: null,
  maxDailyDeposit: null,
  maxWeeklyDeposit: null,
  maxMonthlyDeposit: null,
  excludedUntil: null,
}
const limitsOf = (
  active: Partial<SelfLimits['active']>,
  pending: SelfLimits['pending'] = [],
): SelfLimits => ({
  active: { ...noLimits, ...active },
  pending,
})
const pendingChange = (value: string | null) =>
  [{ field: 'maxStake', value, effectiveAt: epochMs(now + 5) }] as const

describe('effectOf', () => {
  it.each([
    [null, [], null, 'same'],
    [null, [], '500.00', 'tighter'],
    ['500.00', [], '500.00', 'same'],
    ['500.00', [], '499.99', 'tighter'],
    ['500.00', [], '500.01', 'looser'],
    ['500.00', [], null, 'looser'],
    ['500.00', pendingChange(null), null, 'waiting'],
    ['500.00', pendingChange(null), '600.00', 'looser'],
    ['500.00', pendingChange(null), '500.00', 'keeps'],
    ['500.00', pendingChange(null), '400.00', 'tighter'],
  ] as const)('active %s, pending %j, requested %s: %s', (active, pending, requested, effect) => {
    expect(effectOf(limitsOf({ maxStake: active }, [...pending]), 'maxStake', requested)).toBe(effect)
  })

  it.each([
    [null, now + 10, 'tighter'],
    [now + 10, now + 20, 'tighter'],
    [now + 10, now + 5, 'looser'],
    [now + 10, null, 'looser'],
  ])('paused until %s, requested %s: %s', (until, requested, effect) => {
    expect(effectOf(limitsOf({ excludedUntil: epochMs(until) }), 'excludedUntil', requested)).toBe(effect)
  })

  it('predicts what the venue does', () => {
    const value = fc.option(fc.integer({ min: 1, max: 1000 }))
    const next = fc.option(
      fc.record({ value, at: fc.integer({ min: now + 1, max: now + looseningDelayMs }) }),
    )
    const text = (units: number | null) => (units === null ? null : formatMoney(minor(units)))
    fc.assert(
      fc.property(value, next, value, (active, pending, requested) => {
        const before: SelfLimit = { value: active, next: pending }
        const after = effectiveLimit('maxStake', changeLimit('maxStake', before, requested, now), now)
        const effect = effectOf(
          limitsOf(
            { maxStake: text(active) },
            pending
              ? [{ field: 'maxStake', value: text(pending.value), effectiveAt: epochMs(pending.at) }]
              : [],
          ),
          'maxStake',
          text(requested),
        )
        const expectedValue = effect === 'looser' || effect === 'waiting' ? active : requested
        expect(after.value).toBe(expectedValue)
        const expectedAt =
          effect === 'looser' ? now + looseningDelayMs : effect === 'waiting' ? pending?.at : undefined
        expect(after.next?.at).toBe(expectedAt)
      }),
    )
  })
})

describe('withLimit', () => {
  it('repeats pending changes, so that changing one limit cancels no other', () => {
    const limits = limitsOf({ maxStake: '500.00', maxDailyLoss: '900.00' }, [...pendingChange('700.00')])
    expect(withLimit(limits, 'maxDailyLoss', '800.00')).toEqual({
      ...noLimits,
      maxStake: '700.00',
      maxDailyLoss: '800.00',
    })
    expect(withLimit(limits, 'maxStake', null)).toEqual({ ...noLimits, maxDailyLoss: '900.00' })
  })
})

it('offers only pauses that end after the active one', () => {
  const day = 86_400_000
  expect(longerPauses(null, now)).toEqual(['h24', 'd7', 'd30', 'd180', 'y1'])
  expect(longerPauses(now + 7 * day, now)).toEqual(['d30', 'd180', 'y1'])
  expect(longerPauses(now + 400 * day, now)).toEqual([])
})
