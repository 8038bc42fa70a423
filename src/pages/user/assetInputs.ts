import { assertNever } from '../../../contract/brand.ts'
import type { Minor } from '../../../contract/brand.ts'
import { addMoney, moneyOf, negate } from '../../../contract/money.ts'
import type { Assets } from '../../../contract/ledger.ts'
import type { AssetStat } from '../money/AssetsCard.tsx'

export type InputName = 'total' | 'available' | 'held' | 'openStakes' | 'fund' | 'orders' | 'fundEarnings'
export type AssetInput = {
  name: InputName
  value: Minor | undefined
  /** Taken away in the formula. */
  minus?: true
  /** Money that moved: shown with its sign. */
  moved?: true
}

/**
 * What a figure is made of. The inputs add up to it, always.
 * @param fundEarnings of the same time as the figure: all of them, or today's; undefined while not known
 */
export function inputsOf(
  figure: AssetStat,
  assets: Assets,
  fundEarnings: Minor | undefined,
): readonly AssetInput[] {
  const of = (name: 'total' | 'available' | 'held' | 'openStakes' | 'fund'): AssetInput => ({
    name,
    value: moneyOf(assets[name]),
  })
  const less = (name: 'held' | 'openStakes' | 'fund'): AssetInput => ({ ...of(name), minus: true })
  switch (figure) {
    case 'total':
      return [of('available'), of('held'), of('openStakes'), of('fund')]
    case 'available':
      return [of('total'), less('held'), less('openStakes'), less('fund')]
    case 'todayPnl':
    case 'accountPnl': {
      const pnl = moneyOf(assets[figure])
      const orders = fundEarnings === undefined ? undefined : addMoney(pnl, negate(fundEarnings))
      return [
        { name: 'orders', value: orders, moved: true },
        { name: 'fundEarnings', value: fundEarnings, moved: true },
      ]
    }
    default:
      return assertNever(figure)
  }
}

/** What the inputs come to; undefined while one is not known. */
export function sumOf(inputs: readonly AssetInput[]): Minor | undefined {
  const values: Minor[] = []
  for (const { value, minus } of inputs) {
    if (value === undefined) return undefined
    values.push(minus ? negate(value) : value)
  }
  return addMoney(...values)
}
