import type { Candle } from '../../contract/candles.ts'

/** What a chart publishes to its page: the newest bar, and the one under the crosshair. */
export type Readout = { newest: Candle | undefined; hovered: Candle | undefined }

export type ReadoutStore = {
  get: () => Readout
  watch: (onChange: () => void) => () => void
  set: (patch: Partial<Readout>) => void
}

/** A store outside the chart component, so that a legend can follow it without rendering the chart again. */
export function createReadout(): ReadoutStore {
  let readout: Readout = { newest: undefined, hovered: undefined }
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
