import { createChart } from 'lightweight-charts'
import { createBars } from './bars.ts'
import { createAnimationFrame } from './animationFrame.ts'
import type { RenderState } from './renderState.ts'
import { chartOptions } from './options.ts'
import type { ChartPort, ChartSetup } from './port.ts'
import { barItem, buildChartSeries } from './chartSeries.ts'
import { createSeriesData } from './seriesData.ts'
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
  const view = createView(chartSeries)
  const animationFrame = createAnimationFrame()
  const data = createSeriesData(chartSeries, itemOf, animationFrame)
  /** Applying empty options makes the library redraw the painters, which read the current state. */
  const repaint = animationFrame(() => chartSeries.tail.applyOptions({}))
  // A double tap, as on maps and pictures: back to the newest bars at the default pitch.
  chart.subscribeDblClick(view.fitRight)

  return {
    setSnapshot(candles) {
      data.setSnapshot(candles)
      view.fitRight()
    },
    prependOlder: data.prependOlder,
    update: data.update,
    setMode(mode) {
      if (mode === state.mode) return
      state.mode = mode
      data.setAll()
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
