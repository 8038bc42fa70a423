import type { Candle } from '../../contract/candles.ts'

/** What a chart tells the page around it: its newest bar, and the one under the crosshair. */
export type Reading = { newest: Candle | undefined; under: Candle | undefined }

export type ReadingStore = {
  get: () => Reading
  watch: (changed: () => void) => () => void
  set: (patch: Partial<Reading>) => void
}

/** A store beside the chart, so that a legend can follow it without the chart being rendered again. */
export function createReading(): ReadingStore {
  let reading: Reading = { newest: undefined, under: undefined }
  const watchers = new Set<() => void>()
  return {
    get: () => reading,
    watch(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    set(patch) {
      reading = { ...reading, ...patch }
      for (const changed of watchers) changed()
    },
  }
}
