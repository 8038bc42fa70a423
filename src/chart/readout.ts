import type { Candle } from '../../contract/candles.ts'

/** What a chart tells the page around it: its newest bar, and the one under the crosshair. */
export type Readout = { newest: Candle | undefined; hovered: Candle | undefined }

export type ReadoutStore = {
  get: () => Readout
  watch: (changed: () => void) => () => void
  set: (patch: Partial<Readout>) => void
}

/** A store beside the chart, so that a legend can follow it without the chart being rendered again. */
export function createReadout(): ReadoutStore {
  let readout: Readout = { newest: undefined, hovered: undefined }
  const watchers = new Set<() => void>()
  return {
    get: () => readout,
    watch(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    set(patch) {
      readout = { ...readout, ...patch }
      for (const changed of watchers) changed()
    },
  }
}
