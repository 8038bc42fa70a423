import type { Candle } from '../../contract/candles.ts'
import type { ApplyResult } from './bars.ts'
import type { createAnimationFrame } from './animationFrame.ts'
import type { BarItem } from './barSeries.ts'
import type { ChartSeries } from './chartSeries.ts'

/** What follows the bars: called after they changed, and before the series have them and the library asks for a range. */
export type BarsListener = {
  onReset: () => void
  onApply: (candle: Candle, applied: Exclude<ApplyResult, 'ignored'>) => void
}

/** Passes bars to the two series: live ones once per animation frame, and all of them after any other change. */
export function createSeriesData(
  { history, tail, bars }: ChartSeries,
  itemOf: (candle: Candle) => BarItem,
  animationFrame: ReturnType<typeof createAnimationFrame>,
  listener: BarsListener,
  /** Called after live bars were added, when the series have them. */
  onAdded: () => void = () => undefined,
) {
  const pending = new Map<number, Candle>()
  /**
   * The tail is emptied first: while the crosshair is shown, the library looks at both series after it has set one, and throws
   * if the other still has bars at their old places.
   */
  const setAll = () => {
    tail.setData([])
    history.setData(bars.history().map(itemOf))
    tail.setData(bars.tail().map(itemOf))
  }
  const applyPending = animationFrame(() => {
    let hasAdded = false
    for (const candle of pending.values()) {
      const applied = bars.apply(candle)
      if (applied === 'ignored') continue
      listener.onApply(candle, applied)
      hasAdded ||= applied !== 'changed'
      if (applied === 'trimmed') setAll()
      else tail.update(itemOf(candle))
    }
    pending.clear()
    if (hasAdded) onAdded()
  })
  return {
    setSnapshot: (candles: readonly Candle[]) => {
      pending.clear()
      bars.reset(candles)
      listener.onReset()
      setAll()
    },
    prependOlder: (candles: readonly Candle[]) => {
      if (!bars.prepend(candles)) return
      listener.onReset()
      setAll()
    },
    update: (candle: Candle) => {
      pending.set(candle.openAt, candle)
      applyPending()
    },
  }
}
