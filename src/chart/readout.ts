import type { Candle } from '../../contract/candles.ts'
import type { IndicatorReading } from './types.ts'

/** What a chart publishes to its page: the newest bar, the one under the crosshair, and the indicators at either. */
export type Readout = {
  /** The bars have come. Without a newest one there are none. */
  loaded: boolean
  newest: Candle | undefined
  hovered: Candle | undefined
  readings: readonly IndicatorReading[]
}

export type ReadoutStore = {
  get: () => Readout
  watch: (onChange: () => void) => () => void
  set: (patch: Partial<Readout>) => void
}

export const emptyReadout: Readout = { loaded: false, newest: undefined, hovered: undefined, readings: [] }

/** A store outside the chart component, so that a legend can follow it without rendering the chart again. */
export function createReadout(): ReadoutStore {
  let readout: Readout = emptyReadout
  const watchers = new Set<() => void>()
  return {
    get: () => readout,
    watch(onChange) {
      watchers.add(onChange)
      return () => watchers.delete(onChange)
    },
    set(patch) {
      readout = { ...readout, ...patch }
      for (const notify of watchers) notify()
    },
  }
}
