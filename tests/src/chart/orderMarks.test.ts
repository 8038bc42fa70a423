import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../contract/candles.ts'
import { plotBottom } from '../../../src/chart/geometry.ts'
import type { ChartMark, ChartTheme } from '../../../src/chart/port.ts'
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

/** The rectangles that the painter of order marks fills in the accent colour; a bar takes `pitch` px. */
function accentRectangles(marks: readonly ChartMark[], pitch: number): Rectangle[] {
  const filled: Rectangle[] = []
  const context = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (set, name) =>
        name === 'fillRect'
          ? (x: number, y: number, w: number, h: number) => {
              if (set['fillStyle'] === 'accent') filled.push({ x, y, width: w, height: h })
            }
          : () => undefined,
      set: (set, name, value) => Reflect.set(set, name, value),
    },
  )
  const scope = {
    context: context as unknown as CanvasRenderingContext2D,
    mediaSize: { width, height },
    bitmapSize: { width, height },
    horizontalPixelRatio: 1,
    verticalPixelRatio: 1,
  }
  const state = {
    theme: { accent: 'accent' } as ChartTheme,
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
  return filled
}

const mark = (window: ChartMark['window']): ChartMark => ({
  id: 'o1',
  direction: 'up',
  entry: undefined,
  closeAt: 2 * minute,
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
