import { createChart, type IChartApi } from 'lightweight-charts'
import { listenAxis } from './axis.ts'
import { createBars, type Bars } from './bars.ts'
import { createAnimationFrame } from './animationFrame.ts'
import type { RenderState } from './renderState.ts'
import { chartOptions, clockOptions } from './options.ts'
import type { ChartPort } from './port.ts'
import { labelledPrices } from './primitives/lineLabels.ts'
import type { ChartLine, ChartSetup } from './types.ts'
import { barItem, buildChartSeries, priceAt } from './chartSeries.ts'
import { createExtras } from './extras.ts'
import { isOverlay } from './indicators/kinds.ts'
import { axisWidth } from './geometry.ts'
import { createSeriesData } from './seriesData.ts'
import { axisWidthOf, createView } from './view.ts'
import { createStepper, watchAway, watchCrosshair, watchOldest } from './watch.ts'

const firstState = (bars: Bars, { theme, format, mode, tfMs }: ChartSetup): RenderState => ({
  theme,
  format,
  mode,
  stale: false,
  tfMs,
  axisWidth,
  marks: [],
  hasVolumePane: false,
  labelled: [],
  legendLines: 0,
  crosshairY: undefined,
  bars: () => bars.all(),
  levels: [],
})

/** A {@link ChartPort} on lightweight-charts: two custom series, and our own painters above them. */
export function createLightweightChart(container: HTMLElement, setup: ChartSetup): ChartPort {
  const bars = createBars()
  const state = firstState(bars, setup)
  // Before the library makes the axis: a frame may be painted before it follows a change.
  state.axisWidth = axisWidthOf(state, setup.price)
  const chart = createChart(container, chartOptions(state, setup))
  const itemOf = barItem(setup.zoneOffsetMs)
  const chartSeries = buildChartSeries(chart, bars, state, setup)
  const view = createView(chartSeries)
  const animationFrame = createAnimationFrame()
  const extras = createExtras(chartSeries, (candle) => itemOf(candle).time, animationFrame)
  const data = createSeriesData(chartSeries, itemOf, animationFrame, extras, view.follow)
  /** Applying empty options makes the library redraw the painters, which read the current state. */
  const repaint = () => chartSeries.tail.applyOptions({})
  // A double tap, as on maps and pictures: back to the newest bars at the default pitch.
  chart.subscribeDblClick(view.fitRight)
  listenAxis(chart)
  chart.subscribeCrosshairMove(({ point, paneIndex }) => {
    state.crosshairY = paneIndex === 0 ? point?.y : undefined
  })

  return {
    setSnapshot(candles) {
      data.setSnapshot(candles)
      view.fitRight()
    },
    prependOlder: data.prependOlder,
    update: data.update,
    setFrame(tfMs) {
      if (tfMs === state.tfMs) return
      state.tfMs = tfMs
      chart.clearCrosshairPosition()
      chart.timeScale().applyOptions(clockOptions(tfMs))
      data.setSnapshot([])
    },
    ...createContent(state, extras, view, repaint),
    ...createLook(chart, state, repaint),
    setTheme(theme) {
      state.theme = theme
      chart.applyOptions(chartOptions(state, setup))
      extras.setTheme()
      repaint()
    },
    onCrosshair: (handler) => watchCrosshair(chartSeries, handler),
    onReadings: extras.onReadings,
    priceAt: (clientY) => priceAt(chartSeries, clientY - container.getBoundingClientRect().top),
    onNeedOlder: (handler) => watchOldest(chartSeries, handler),
    onAway: (handler) => watchAway(chartSeries, handler),
    fitRight: view.fitRight,
    step: createStepper(chartSeries, itemOf),
    destroy() {
      animationFrame.cancel()
      extras.destroy()
      view.destroy()
      chart.remove()
    },
  }
}

/** What is drawn beside the bars. */
function createContent(
  state: RenderState,
  extras: ReturnType<typeof createExtras>,
  view: ReturnType<typeof createView>,
  repaint: () => void,
): Pick<ChartPort, 'setMarks' | 'setExtras'> {
  let lines: readonly ChartLine[] = []
  return {
    setMarks(marks) {
      if (marks === state.marks || marks.length + state.marks.length === 0) return
      const before = state.marks
      state.marks = marks
      state.labelled = labelledPrices(marks, lines)
      view.makeRoom(before)
      repaint()
    },
    setExtras(shown) {
      extras.set(shown)
      lines = shown?.lines ?? []
      state.labelled = labelledPrices(state.marks, lines)
      state.legendLines = shown?.indicators.filter(({ kind }) => isOverlay(kind)).length ?? 0
      view.fitHeight()
    },
  }
}

/** What changes how the bars that are there are painted. */
const createLook = (
  chart: IChartApi,
  state: RenderState,
  repaint: () => void,
): Pick<ChartPort, 'setMode' | 'setStale' | 'setFormat'> => ({
  setMode(mode) {
    if (mode === state.mode) return
    state.mode = mode
    repaint()
  },
  setStale(stale) {
    if (stale === state.stale) return
    state.stale = stale
    repaint()
  },
  setFormat(format) {
    if (format === state.format) return
    state.format = format
    // The library keeps the labels of the time axis until its options change.
    chart.timeScale().applyOptions(clockOptions(state.tfMs))
    repaint()
  },
})
