import {
  customSeriesDefaultOptions,
  type CustomData,
  type CustomSeriesOptions,
  type CustomSeriesPricePlotValues,
  type ICustomSeriesPaneRenderer,
  type ICustomSeriesPaneView,
  type PaneRendererCustomData,
  type Time,
} from 'lightweight-charts'
import { minuteMs } from '../../contract/time.ts'
import { snapToPixels, type Scope, type Target } from './canvas.ts'
import { bodyWidth, plotBottom, hollowFrom } from './geometry.ts'
import { downColor, priceColor, upColor, type RenderState } from './renderState.ts'

/** One bar in the library's format; `time` in seconds on an axis whose days begin at the venue's midnight. */
export type BarItem = CustomData<Time> & {
  open: number
  high: number
  low: number
  close: number
}
type Data = PaneRendererCustomData<Time, BarItem>
type YOf = (price: number) => number | null

/**
 * The bars of one series, drawn as candles (hollow up, filled down) or as an area. History and live tail are two series
 * of this kind, so that no seam is visible.
 */
export class BarSeriesView implements ICustomSeriesPaneView<Time, BarItem> {
  readonly #state: RenderState
  #data: Data | undefined

  constructor(state: RenderState) {
    this.#state = state
  }

  renderer(): ICustomSeriesPaneRenderer {
    return { draw: (target: Target, yOf: YOf) => this.#draw(target, yOf) }
  }

  update(data: Data): void {
    this.#data = data
  }

  priceValueBuilder(bar: BarItem): CustomSeriesPricePlotValues {
    // In area mode too, so that the labels of the highest and lowest price stay visible.
    return [bar.low, bar.high, bar.close]
  }

  isWhitespace(bar: object): bar is never {
    return !('close' in bar)
  }

  defaultOptions(): CustomSeriesOptions {
    return customSeriesDefaultOptions
  }

  #draw(target: Target, yOf: YOf): void {
    const data = this.#data
    const range = data?.visibleRange
    if (data === undefined || range === null || range === undefined) return
    const bars = data.bars.slice(range.from, range.to)
    target.useBitmapCoordinateSpace((scope: Scope) => {
      if (this.#state.mode === 'area') drawArea(scope, bars, yOf, this.#state, data.barSpacing)
      else drawCandles(scope, bars, yOf, this.#state, data.barSpacing)
    })
  }
}

function drawCandles(scope: Scope, bars: Data['bars'], yOf: YOf, state: RenderState, pitch: number): void {
  const { context, horizontalPixelRatio: rx, verticalPixelRatio: ry } = scope
  const width = bodyWidth(pitch)
  const wick = Math.max(1, Math.floor(rx))
  const rawBody = Math.max(wick, Math.round(width * rx))
  // Wick and body have the same middle only if both widths are even or both odd.
  const body = (rawBody - wick) % 2 === 0 ? rawBody : Math.max(wick, rawBody - 1)
  const hollow = width >= hollowFrom
  for (const { x, originalData: bar } of bars) {
    const [high, low, open, close] = [yOf(bar.high), yOf(bar.low), yOf(bar.open), yOf(bar.close)]
    if (high === null || low === null || open === null || close === null) continue
    const rose = bar.close >= bar.open
    const top = Math.round(Math.min(open, close) * ry)
    const height = Math.max(wick, Math.round(Math.max(open, close) * ry) - top)
    const middle = snapToPixels(x, wick / rx, rx).start
    const left = middle - (body - wick) / 2
    context.fillStyle = rose ? upColor(state) : downColor(state)
    const highY = Math.round(high * ry)
    const lowY = Math.round(low * ry)
    if (state.tfMs < minuteMs && lowY - highY <= wick) {
      // Seconds at one price are a line: beside each other their bodies would be a row of dashes.
      const from = Math.round((x - pitch / 2) * rx)
      context.fillRect(from, top, Math.round((x + pitch / 2) * rx) - from, wick)
      continue
    }
    context.fillRect(middle, highY, wick, top - highY)
    context.fillRect(middle, top + height, wick, Math.max(0, lowY - top - height))
    if (rose && hollow && height > 2 * wick) drawOutline(context, left, top, body, height, wick)
    else context.fillRect(left, top, body, height)
  }
}

function drawOutline(
  context: Scope['context'],
  x: number,
  y: number,
  width: number,
  height: number,
  line: number,
): void {
  context.fillRect(x, y, width, line)
  context.fillRect(x, y + height - line, width, line)
  context.fillRect(x, y + line, line, height - 2 * line)
  context.fillRect(x + width - line, y + line, line, height - 2 * line)
}

/** Where the line goes in a bar, as shares of the pitch before its close. */
const extremesBefore = [2 / 3, 1 / 3] as const

/**
 * The prices of a bar that a line goes through, with their distance from its end in bars. Under a minute these are the
 * extremes too, so that no price between two closes is missing, and an order's entry and exit are on the line.
 */
export function linePoints(bar: BarItem, tfMs: number): (readonly [before: number, price: number])[] {
  if (tfMs >= minuteMs || bar.high === bar.low) return [[0, bar.close]]
  const [first, second] = bar.close >= bar.open ? [bar.low, bar.high] : [bar.high, bar.low]
  return [
    [extremesBefore[0], first],
    [extremesBefore[1], second],
    [0, bar.close],
  ]
}

function drawArea(scope: Scope, bars: Data['bars'], yOf: YOf, state: RenderState, pitch: number): void {
  const { context, horizontalPixelRatio: rx, verticalPixelRatio: ry } = scope
  const points: { x: number; y: number }[] = []
  for (const { x, originalData: bar } of bars) {
    for (const [before, price] of linePoints(bar, state.tfMs)) {
      const y = yOf(price)
      if (y !== null) points.push({ x: (x - before * pitch) * rx, y: y * ry })
    }
  }
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return
  const floor = plotBottom(scope.mediaSize.height) * ry
  const trace = () => {
    context.beginPath()
    for (const [i, { x, y }] of points.entries()) {
      if (i === 0) context.moveTo(x, y)
      else context.lineTo(x, y)
    }
  }
  trace()
  context.lineTo(last.x, floor)
  context.lineTo(first.x, floor)
  context.closePath()
  context.fillStyle = state.theme.fill
  context.fill()
  trace()
  context.lineWidth = 1.5 * rx
  context.lineJoin = 'round'
  context.strokeStyle = priceColor(state)
  context.stroke()
}
