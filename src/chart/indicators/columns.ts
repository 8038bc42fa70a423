import type { Candle } from '../../../contract/candles.ts'
import { startIndicator, type Computation } from './computations.ts'
import { indicatorRules, type Indicator } from './kinds.ts'

/** The values of an indicator at every bar, a column for each line, by the bar's position on the time scale. */
export type IndicatorColumns = {
  readonly indicator: Indicator
  /** NaN where there is none. */
  value: (line: number, bar: number) => number
  /** Another number whenever values before the newest bar may be others, or there are more. */
  revision: () => number
  /** Computes all again: after a snapshot, and after older bars, which every average depends on. */
  reset: (bars: readonly Candle[]) => void
  /** The newest bar changed, or a bar was added. */
  apply: (bar: Candle, added: boolean) => void
}

const firstCapacity = 512

/** Computes an indicator along with the bars, so that a tick costs one step of it however many bars there are. */
export function createIndicatorColumns(indicator: Indicator): IndicatorColumns {
  const lines = indicatorRules[indicator.kind].lines(indicator.params).length
  let computation: Computation = startIndicator(indicator.kind, indicator.params)
  let cells = new Float64Array(firstCapacity * lines)
  let count = 0
  let revision = 0
  const apply = (bar: Candle, added: boolean): void => {
    const values = computation.update(bar, !added)
    if (added) {
      count += 1
      revision += 1
    }
    if (count * lines > cells.length) {
      const grown = new Float64Array(cells.length * 2)
      grown.set(cells)
      cells = grown
    }
    cells.set(values, (count - 1) * lines)
  }
  return {
    indicator,
    value: (line, bar) => (bar >= 0 && bar < count ? (cells[bar * lines + line] ?? NaN) : NaN),
    revision: () => revision,
    reset: (bars) => {
      computation = startIndicator(indicator.kind, indicator.params)
      count = 0
      revision += 1
      for (const bar of bars) apply(bar, true)
    },
    apply,
  }
}
