import { describe, expect, it } from 'vitest'
import { minor, epochMs } from '../../../../contract/units.ts'
import { formatMoney, moneyOf } from '../../../../contract/money.ts'
import type { Assets } from '../../../../contract/ledger.ts'
import { inputsOf, sumOf } from '../../../../src/pages/user/assetInputs.ts'
import { levelKeyOf } from '../../../../src/pages/user/levels.ts'
import { lastCharacters } from '../../../../src/pages/user/StatusRows.tsx'
import { fc } from '../../../support/fastCheck.ts'

const cents = fc.integer({ min: 0, max: 10 ** 12 }).map(minor)
const signed = fc.integer({ min: -(10 ** 12), max: 10 ** 12 }).map(minor)

const anyAssets = fc
  .record({
    available: cents,
    held: cents,
    openStakes: cents,
    fund: cents,
    accountPnl: signed,
    todayPnl: signed,
  })
  .map((parts): Assets => {
    const { available, held, openStakes, fund } = parts
    const texts = Object.entries(parts).map(([name, value]) => [name, formatMoney(value)])
    return {
      ...(Object.fromEntries(texts) as Omit<Assets, 'total' | 'version'>),
      total: formatMoney(minor(available + held + openStakes + fund)),
      version: 1,
    }
  })

describe('inputsOf', () => {
  it.each(['total', 'available', 'todayPnl', 'accountPnl'] as const)(
    'returns inputs that add up to %s',
    (stat) => {
      fc.assert(
        fc.property(anyAssets, cents, (assets, earned) => {
          expect(sumOf(inputsOf(stat, assets, earned))).toBe(moneyOf(assets[stat]))
        }),
      )
    },
  )

  it('has unknown inputs until the earnings are loaded', () => {
    const [assets] = fc.sample(anyAssets, { numRuns: 1, seed: 1 })
    if (!assets) throw new Error('no sample')
    expect(inputsOf('todayPnl', assets, undefined).map(({ value }) => value)).toEqual([undefined, undefined])
    expect(sumOf(inputsOf('todayPnl', assets, undefined))).toBeUndefined()
  })
})

it('returns no key for an unknown level', () => {
  const levels = [
    { level: 1, key: 'general' },
    { level: 6, key: 'platinum' },
  ]
  expect([levelKeyOf(levels, 1), levelKeyOf(levels, 6), levelKeyOf(undefined, 1)]).toEqual([
    'general',
    undefined,
    undefined,
  ])
})

it('shows only the last characters of a withdrawal account', () => {
  const boundAt = epochMs(0)
  const account = { id: 'a', type: 'bank', accountName: 'L*', nationality: 'CN', boundAt } as const
  expect(lastCharacters({ ...account, cardNumber: '**** **** 4821' })).toBe('•• 4821')
  expect(lastCharacters({ ...account, currencyAddress: '0x12…9fAb' })).toBe('•• 9fAb')
})
