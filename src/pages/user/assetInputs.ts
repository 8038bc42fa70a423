import { assertNever, type Minor } from '../../../contract/units.ts'
import { addMoney, moneyOf, negate } from '../../../contract/money.ts'
import type { Assets } from '../../../contract/ledger.ts'
import type { AssetStat } from '../../features/account/AssetsHead.tsx'

export type InputName = 'total' | 'available' | 'held' | 'openStakes' | 'fund' | 'orders' | 'fundEarnings'
export type AssetInput = {
  name: InputName
  value: Minor | undefined
  /** Subtracted in the formula. */
  minus?: true
  /** A profit or loss: shown with its sign. */
  moved?: true
}

/**
 * The inputs of a stat. They always add up to it.
 * @param fundEarnings of the same period as the stat: all of them, or today's; undefined until loaded
 */
export function inputsOf(
  stat: AssetStat,
  assets: Assets,
  fundEarnings: Minor | undefined,
): readonly AssetInput[] {
  const added = (name: 'total' | 'available' | 'held' | 'openStakes' | 'fund'): AssetInput => ({
    name,
    value: moneyOf(assets[name]),
  })
  const subtracted = (name: 'held' | 'openStakes' | 'fund'): AssetInput => ({ ...added(name), minus: true })
  switch (stat) {
    case 'total':
      return [added('available'), added('held'), added('openStakes'), added('fund')]
    case 'available':
      return [added('total'), subtracted('held'), subtracted('openStakes'), subtracted('fund')]
    case 'todayPnl':
    case 'accountPnl': {
      const pnl = moneyOf(assets[stat])
      const orders = fundEarnings === undefined ? undefined : addMoney(pnl, negate(fundEarnings))
      return [
        { name: 'orders', value: orders, moved: true },
        { name: 'fundEarnings', value: fundEarnings, moved: true },
      ]
    }
    default:
      return assertNever(stat)
  }
}

/** The sum of the inputs; undefined if one is missing. */
export function sumOf(inputs: readonly AssetInput[]): Minor | undefined {
  const values: Minor[] = []
  for (const { value, minus } of inputs) {
    if (value === undefined) return undefined
    values.push(minus ? negate(value) : value)
  }
  return addMoney(...values)
}
