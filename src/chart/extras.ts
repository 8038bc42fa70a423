import type { Time } from 'lightweight-charts'
import type { Candle } from '../../contract/candles.ts'
import type { createAnimationFrame } from './animationFrame.ts'
import { barIndexAt } from './bars.ts'
import type { ChartSeries } from './chartSeries.ts'
import type { Layer } from './indicators/layer.ts'
import type { ChartExtras } from './port.ts'
import type { IndicatorReading } from './types.ts'
import type { BarsListener } from './seriesData.ts'
import { watchCrosshair } from './watch.ts'

/** How often the values of the newest bar are published, ms: faster updates are unreadable. */
const newestEveryMs = 200

/** Holds the indicators and lines of a chart, which has none at first: their code comes with them. */
export function createExtras(
  series: ChartSeries,
  timeOf: (candle: Candle) => Time,
  animationFrame: ReturnType<typeof createAnimationFrame>,
) {
  const handlers = new Set<(readings: readonly IndicatorReading[]) => void>()
  let layer: Layer | undefined
  let hoveredAt: number | undefined
  const publish = animationFrame(() => {
    const bars = series.bars.all()
    const bar = hoveredAt === undefined ? bars.length - 1 : barIndexAt(bars, hoveredAt)
    const readings = layer?.read(bar) ?? []
    for (const handler of handlers) handler(readings)
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const publishSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      publish()
    }, newestEveryMs)
  }
  const stopCrosshair = watchCrosshair(series, (candle) => {
    hoveredAt = candle?.openAt
    if (layer !== undefined) publish()
  })
  const listener: BarsListener = {
    onReset: () => {
      layer?.onReset()
      publish()
    },
    onApply: (candle, applied) => {
      if (layer === undefined) return
      layer.onApply(candle, applied)
      if (hoveredAt === undefined) publishSoon()
      else if (candle.openAt === hoveredAt) publish()
    },
  }
  return {
    ...listener,
    set: (extras: ChartExtras | undefined) => {
      if (extras === undefined) {
        layer?.destroy()
        layer = undefined
      } else {
        layer ??= extras.createLayer(series, timeOf)
        layer.setIndicators(extras.indicators)
        layer.setLines(extras.lines)
      }
      publish()
    },
    setTheme: () => layer?.setTheme(),
    onReadings: (handler: (readings: readonly IndicatorReading[]) => void) => {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
    destroy: () => {
      clearTimeout(timer)
      stopCrosshair()
    },
  }
}
