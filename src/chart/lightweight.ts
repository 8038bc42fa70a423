import { createChart } from 'lightweight-charts'
import type { Candle } from '../../contract/candles.ts'
import { createBars } from './bars.ts'
import { createFrame } from './frame.ts'
import type { Look } from './look.ts'
import { chartOptions } from './options.ts'
import type { ChartPort, ChartSetup } from './port.ts'
import { barItem, buildStage } from './stage.ts'
import { createView } from './view.ts'
import { createStepper, watchCrosshair, watchOldest } from './watch.ts'

/** A {@link ChartPort} over lightweight-charts: two series of one kind, and our own painters above them. */
export function createLightweightChart(container: HTMLElement, setup: ChartSetup): ChartPort {
  const bars = createBars()
  const look: Look = {
    theme: setup.theme,
    format: setup.format,
    mode: setup.mode,
    stale: false,
    tfMs: setup.tfMs,
    marks: [],
    bars: () => bars.all(),
    levels: [],
  }
  const chart = createChart(container, chartOptions(look, setup))
  const itemOf = barItem(setup.zoneOffsetMs)
  const stage = buildStage(chart, bars, look, setup)
  const { history, tail } = stage
  const view = createView(stage)
  const frame = createFrame()
  const pending = new Map<number, Candle>()

  const putAll = () => {
    history.setData(bars.history().map(itemOf))
    tail.setData(bars.tail().map(itemOf))
  }
  const paintPending = frame(() => {
    for (const candle of pending.values()) {
      const applied = bars.apply(candle)
      if (applied === 'cut') putAll()
      else if (applied !== 'ignored') tail.update(itemOf(candle))
    }
    pending.clear()
  })
  /** Painters keep no copies: an empty change of options makes the library draw them again. */
  const repaint = frame(() => tail.applyOptions({}))

  return {
    setSnapshot(candles) {
      pending.clear()
      bars.reset(candles)
      putAll()
      view.fitRight()
    },
    prependOlder(candles) {
      if (bars.prepend(candles)) putAll()
    },
    update(candle) {
      pending.set(candle.openAt, candle)
      paintPending()
    },
    setMode(mode) {
      if (mode === look.mode) return
      look.mode = mode
      putAll()
    },
    setMarks(marks) {
      look.marks = marks
      view.makeRoom()
      repaint()
    },
    setStale(stale) {
      look.stale = stale
      repaint()
    },
    setTheme(theme) {
      look.theme = theme
      chart.applyOptions(chartOptions(look, setup))
      repaint()
    },
    setFormat(format) {
      look.format = format
      chart.applyOptions(chartOptions(look, setup))
      repaint()
    },
    onCrosshair: (handler) => watchCrosshair(stage, handler),
    onNeedOlder: (handler) => watchOldest(stage, handler),
    fitRight: view.fitRight,
    step: createStepper(stage, itemOf),
    destroy() {
      frame.cancel()
      view.destroy()
      chart.remove()
    },
  }
}
