import type { Candle } from '../../contract/candles.ts'
import type { ChartExtras, ChartFactory, ChartPort } from '../../src/chart/port.ts'
import type { ChartMark, ChartMode, ChartSetup, IndicatorReading } from '../../src/chart/types.ts'

/** Records what a chart was given, for tests of the components around it. */
export type FakeChart = {
  setup: ChartSetup
  bars: Candle[]
  mode: ChartMode
  marks: readonly ChartMark[]
  extras: ChartExtras | undefined
  stale: boolean
  /** How often it returned to the newest bar. */
  fits: number
  steps: number[]
  destroyed: boolean
  /** Moves the crosshair as a member does. */
  moveCrosshair(candle: Candle | undefined): void
  /** Scrolls to the oldest bar. */
  scrollToOldest(): void
  /** Scrolls the newest bar out of view, or back. */
  scrollAway(isAway: boolean): void
  /** Publishes values of indicators. */
  read(readings: readonly IndicatorReading[]): void
}

/** A chart port without a canvas. `made` has every chart that was created, the newest last. */
export function fakeCharts(): { factory: ChartFactory; made: FakeChart[] } {
  const made: FakeChart[] = []
  const factory: ChartFactory = (_container, setup) => {
    const crosshair = new Set<(candle: Candle | undefined) => void>()
    const older = new Set<() => void>()
    const away = new Set<(isAway: boolean) => void>()
    const readings = new Set<(readings: readonly IndicatorReading[]) => void>()
    const chart: FakeChart = {
      setup,
      bars: [],
      mode: setup.mode,
      marks: [],
      extras: undefined,
      stale: false,
      fits: 0,
      steps: [],
      destroyed: false,
      moveCrosshair: (candle) => {
        for (const handler of crosshair) handler(candle)
      },
      scrollToOldest: () => {
        for (const handler of older) handler()
      },
      scrollAway: (isAway) => {
        for (const handler of away) handler(isAway)
      },
      read: (values) => {
        for (const handler of readings) handler(values)
      },
    }
    made.push(chart)
    return usedUntilDestroyed(chart, {
      setSnapshot: (candles) => (chart.bars = [...candles]),
      prependOlder: (candles) => (chart.bars = [...candles, ...chart.bars]),
      update: (candle) => {
        chart.bars = [...chart.bars.filter(({ openAt }) => openAt !== candle.openAt), candle]
      },
      setFrame: (tfMs) => {
        if (tfMs !== chart.setup.tfMs) chart.bars = []
        chart.setup = { ...chart.setup, tfMs }
      },
      setMode: (mode) => {
        chart.mode = mode
      },
      setMarks: (marks) => {
        chart.marks = marks
      },
      setExtras: (extras) => {
        chart.extras = extras
      },
      setStale: (stale) => {
        chart.stale = stale
      },
      setTheme: (theme) => {
        chart.setup = { ...chart.setup, theme }
      },
      setFormat: (format) => {
        chart.setup = { ...chart.setup, format }
      },
      onCrosshair: (handler) => {
        crosshair.add(handler)
        return () => crosshair.delete(handler)
      },
      onReadings: (handler) => {
        readings.add(handler)
        return () => readings.delete(handler)
      },
      // A pixel is a price.
      priceAt: (clientY) => clientY,
      onNeedOlder: (handler) => {
        older.add(handler)
        return () => older.delete(handler)
      },
      onAway: (handler) => {
        away.add(handler)
        return () => away.delete(handler)
      },
      fitRight: () => (chart.fits += 1),
      step: (bars) => chart.steps.push(bars),
      destroy: () => (chart.destroyed = true),
    })
  }
  return { factory, made }
}

/** The library throws if a chart is used after it was destroyed. */
const usedUntilDestroyed = (chart: FakeChart, port: ChartPort): ChartPort =>
  new Proxy(port, {
    get(target, name: keyof ChartPort) {
      if (chart.destroyed) throw new Error(`${name} of a chart that is destroyed`)
      return target[name]
    },
  })
