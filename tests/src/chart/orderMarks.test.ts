import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../contract/candles.ts'
import { plotBottom } from '../../../src/chart/geometry.ts'
import type { ChartMark, ChartTheme } from '../../../src/chart/types.ts'
import { orderMarksPrimitive } from '../../../src/chart/primitives/orderMarks.ts'
import type { RenderState } from '../../../src/chart/renderState.ts'

type Rectangle = { x: number; y: number; width: number; height: number }

const minute = 60_000
const [width, height] = [300, 200]
const bars: Candle[] = [0, 1].map((i) => ({
  openAt: i * minute,
  open: 10,
  high: 10,
  low: 10,
  close: 10,
  volume: 1,
  lastSeq: i,
}))

type Painted = {
  rectangles: (Rectangle & { color: string })[]
  discs: [x: number, y: number, color: string][]
  boxes: Rectangle[]
}

/** What the painter of order marks fills, with names for colours; a bar takes `pitch` px, a price unit ten. */
function paint(marks: readonly ChartMark[], pitch: number): Painted {
  const painted: Painted = { rectangles: [], discs: [], boxes: [] }
  const set: Record<string, unknown> = {}
  const color = () => String(set['fillStyle'])
  let disc: [number, number] | undefined
  const calls: Record<string, (...numbers: number[]) => void> = {
    fillRect: (x = 0, y = 0, w = 0, h = 0) =>
      painted.rectangles.push({ x, y, width: w, height: h, color: color() }),
    ellipse: (x = 0, y = 0) => (disc = [x, y]),
    roundRect: (x = 0, y = 0, w = 0, h = 0) => painted.boxes.push({ x, y, width: w, height: h }),
    fill: () => {
      if (disc !== undefined) painted.discs.push([...disc, color()])
      disc = undefined
    },
  }
  const context = new Proxy(set, {
    get: (_, name) => calls[String(name)] ?? (() => undefined),
    set: (_, name, value) => Reflect.set(set, name, value),
  })
  const scope = {
    context: context as unknown as CanvasRenderingContext2D,
    mediaSize: { width, height },
    bitmapSize: { width, height },
    horizontalPixelRatio: 1,
    verticalPixelRatio: 1,
  }
  const state = {
    theme: Object.fromEntries(
      ['accent', 'up', 'down', 'ground', 'line', 'text2'].map((name) => [name, name]),
    ) as unknown as ChartTheme,
    tfMs: minute,
    marks,
    bars: () => bars,
  } as unknown as RenderState
  const painter = orderMarksPrimitive(state, {
    xOf: (logical) => logical * pitch,
    yOf: (price) => price * 10,
    visible: () => undefined,
    pitch: () => pitch,
  })
  for (const view of painter.paneViews?.() ?? [])
    view.renderer()?.draw({
      useBitmapCoordinateSpace: (draw: (with_: typeof scope) => unknown) => draw(scope),
    } as never)
  return painted
}

const accentRectangles = (marks: readonly ChartMark[], pitch: number): Rectangle[] =>
  paint(marks, pitch).rectangles.flatMap(({ color, ...rectangle }) => (color === 'accent' ? [rectangle] : []))

const mark = (window: ChartMark['window']): ChartMark => ({
  id: 'o1',
  direction: 'up',
  entry: undefined,
  closeAt: 2 * minute,
  exit: undefined,
  window,
})

describe('the window of an averaged exit on the product chart', () => {
  const window = { from: 1.5 * minute, to: 2 * minute, mean: undefined }

  it('is a band from its start to the close', () => {
    expect(accentRectangles([mark(window)], 100)).toEqual([
      { x: 150, y: 0, width: 50, height: Math.round(plotBottom(height)) },
    ])
  })

  it('has its mean as a line', () => {
    expect(accentRectangles([mark({ ...window, mean: 12 })], 100)[1]).toEqual({
      x: 150,
      y: 119,
      width: 50,
      height: 2,
    })
  })

  it('is visible where a few seconds are less than a pixel', () => {
    const [band, mean] = accentRectangles([mark({ ...window, mean: 12 })], 1)
    expect([band?.width, mean?.width]).toEqual([3, 12])
  })

  it('is not drawn beyond the plot, nor for an order whose exit is one price', () => {
    expect(accentRectangles([mark(window)], 400)).toEqual([])
    expect(accentRectangles([mark(undefined)], 100)).toEqual([])
  })
})

describe('an order that has just settled on the product chart', () => {
  const settled = (direction: 'up' | 'down', price: number): ChartMark => ({
    ...mark(undefined),
    direction,
    entry: { at: 0.5 * minute, price: 10 },
    exit: { at: 1.5 * minute, price },
  })

  it('has its entry, its exit, the time between them, and the height between them', () => {
    const { rectangles, discs } = paint([settled('up', 12)], 100)
    expect(rectangles.slice(0, 1)).toEqual([
      { x: 50, y: 0, width: 100, height: Math.round(plotBottom(height)), color: 'text2' },
    ])
    expect(rectangles).toContainEqual({ x: 50, y: 99, width: 100, height: 2, color: 'text2' })
    expect(rectangles).toContainEqual({ x: 149, y: 100, width: 2, height: 20, color: 'text2' })
    expect(discs).toContainEqual([150, 120, 'text2'])
    expect(discs).toContainEqual([50, 100, 'text2'])
  })

  it('has no colour of a direction, whichever way it went', () => {
    for (const each of [settled('up', 12), settled('up', 8), settled('down', 12), settled('down', 8)]) {
      const { rectangles, discs } = paint([each], 100)
      const colors = [...rectangles.map(({ color }) => color), ...discs.map(([, , color]) => color)]
      expect(new Set(colors)).toEqual(new Set(['text2', 'line', 'ground']))
    }
    const open = paint([{ ...settled('up', 12), exit: undefined }], 100)
    expect(open.discs).toContainEqual([50, 100, 'up'])
  })
})

it('the hourglass of an open order is at the foot of the chart, where no legend is, and its line ends above it', () => {
  const { boxes, rectangles } = paint([mark(undefined)], 100)
  const [box] = boxes
  expect(boxes).toHaveLength(1)
  expect(box!.y).toBeGreaterThan(height / 2)
  expect(box!.y + box!.height).toBeLessThanOrEqual(plotBottom(height))
  const line = rectangles.filter(({ color }) => color === 'line')
  expect(Math.min(...line.map(({ y }) => y))).toBe(0)
  expect(Math.max(...line.map((each) => each.y + each.height))).toBeLessThanOrEqual(Math.ceil(box!.y))
})
