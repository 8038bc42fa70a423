// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../contract/candles.ts'
import type { Scope } from '../../../../src/chart/canvas.ts'
import { createIndicatorColumns } from '../../../../src/chart/indicators/columns.ts'
import { createPlot } from '../../../../src/chart/indicators/plot.ts'
import type { RenderState } from '../../../../src/chart/renderState.ts'

const bar = (i: number, close: number): Candle => ({
  openAt: i * 1000,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
  lastSeq: i,
})

/** Counts the points of the lines that a canvas is given, because the environment has no canvas. */
function countingContext() {
  const context = { points: 0, pictures: 0 }
  const ignore = () => undefined
  const methods: Record<string, () => void> = {
    lineTo: () => (context.points += 1),
    drawImage: () => (context.pictures += 1),
  }
  const target = new Proxy({}, { get: (_, name) => methods[String(name)] ?? ignore, set: () => true })
  return { context, target: target as CanvasRenderingContext2D }
}

const count = 100
const kept = countingContext()

beforeEach(() => {
  kept.context.points = 0
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(kept.target)
})
afterEach(() => vi.restoreAllMocks())

function chart() {
  const bars = Array.from({ length: count }, (_, i) => bar(i, 100 + Math.sin(i)))
  const columns = createIndicatorColumns({ kind: 'EMA', params: [2] })
  columns.reset(bars)
  const view = { from: 50, to: count - 1, height: 400 }
  const state = { bars: () => bars, theme: { series: ['red'], line: 'grey' } } as unknown as RenderState
  const plot = createPlot([columns], state, {
    xOf: (logical) => logical * 6,
    yOf: (price) => view.height - price,
    visible: () => view,
    pitch: () => 6,
  })
  const shown = countingContext()
  const draw = () => {
    shown.context.points = 0
    kept.context.points = 0
    const size = { width: 600, height: 400 }
    plot({
      context: shown.target,
      bitmapSize: size,
      mediaSize: size,
      horizontalPixelRatio: 1,
      verticalPixelRatio: 1,
    } as Scope)
    return { kept: kept.context.points, shown: shown.context.points }
  }
  return { bars, columns, view, state, draw }
}

it('draws only the part to the newest bar again when a tick changes it', () => {
  const { columns, draw } = chart()
  expect(draw()).toEqual({ kept: 49, shown: 1 })
  columns.apply(bar(count - 1, 100.2), false)
  expect(draw()).toEqual({ kept: 0, shown: 1 })
})

it('draws all of it again when the chart is moved, the price scale changes, a bar is added or colours change', () => {
  const { bars, columns, view, state, draw } = chart()
  draw()
  view.from = 40
  expect(draw()).toEqual({ kept: 59, shown: 1 })
  view.height = 390
  expect(draw().kept).toBe(59)
  expect(draw().kept).toBe(0)
  bars.push(bar(count, 101))
  columns.apply(bar(count, 101), true)
  view.to = count
  expect(draw()).toEqual({ kept: 60, shown: 1 })
  state.theme = { ...state.theme }
  expect(draw().kept).toBe(60)
})

it('draws no newest bar that is out of view', () => {
  const { view, draw } = chart()
  view.to = 70
  expect(draw()).toEqual({ kept: 22, shown: 0 })
})
