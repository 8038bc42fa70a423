import { createChart } from 'lightweight-charts'
import type { Candle } from '../../contract/candles.ts'
import { createBars } from './bars.ts'
import { createAnimationFrame } from './animationFrame.ts'
import type { RenderState } from './renderState.ts'
import { chartOptions } from './options.ts'
import type { ChartPort, ChartSetup } from './port.ts'
import { barItem, buildChartSeries } from './chartSeries.ts'
import { createView } from './view.ts'
import { createStepper, watchCrosshair, watchOldest } from './watch.ts'

/** A {@link ChartPort} on lightweight-charts: two custom series, and our own painters above them. */
export function createLightweightChart(container: HTMLElement, setup: ChartSetup): ChartPort {
  const bars = createBars()
  const state: RenderState = {
    theme: setup.theme,
    format: setup.format,
    mode: setup.mode,
    stale: false,
    tfMs: setup.tfMs,
    marks: [],
    bars: () => bars.all(),
    levels: [],
  }
  const chart = createChart(container, chartOptions(state, setup))
  const itemOf = barItem(setup.zoneOffsetMs)
  const chartSeries = buildChartSeries(chart, bars, state, setup)
  const { history, tail } = chartSeries
  const view = createView(chartSeries)
  const animationFrame = createAnimationFrame()
  const pending = new Map<number, Candle>()

  const setAllData = () => {
    history.setData(bars.history().map(itemOf))
    tail.setData(bars.tail().map(itemOf))
  }
  const paintPending = animationFrame(() => {
    for (const candle of pending.values()) {
      const applied = bars.apply(candle)
      if (applied === 'trimmed') setAllData()
      else if (applied !== 'ignored') tail.update(itemOf(candle))
    }
    pending.clear()
  })
  /** Applying empty options makes the library redraw the painters, which read the current state. */
  const repaint = animationFrame(() => tail.applyOptions({}))

  return {
    setSnapshot(candles) {
      pending.clear()
      bars.reset(candles)
      setAllData()
      view.fitRight()
    },
    prependOlder(candles) {
      if (bars.prepend(candles)) setAllData()
    },
    update(candle) {
      pending.set(candle.openAt, candle)
      paintPending()
    },
    setMode(mode) {
      if (mode === state.mode) return
      state.mode = mode
      setAllData()
    },
    setMarks(marks) {
      state.marks = marks
      view.makeRoom()
      repaint()
    },
    setStale(stale) {
      state.stale = stale
      repaint()
    },
    setTheme(theme) {
      state.theme = theme
      chart.applyOptions(chartOptions(state, setup))
      repaint()
    },
    setFormat(format) {
      state.format = format
      chart.applyOptions(chartOptions(state, setup))
      repaint()
    },
    onCrosshair: (handler) => watchCrosshair(chartSeries, handler),
    onNeedOlder: (handler) => watchOldest(chartSeries, handler),
    fitRight: view.fitRight,
    step: createStepper(chartSeries, itemOf),
    destroy() {
      animationFrame.cancel()
      view.destroy()
      chart.remove()
    },
  }
}
