import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import type { Candle } from '../../../contract/candles.ts'
import type { Target } from '../canvas.ts'
import { plotBottom } from '../geometry.ts'
import { fontOf, type RenderState } from '../renderState.ts'
import { discRadius, discsOf } from './orderMarks.ts'
import { layer, primitive, type Scales } from './painter.ts'

const lead = 12
const gap = 4
/** Distance of a price from the middle of its label, and minimum distance of that from the newest price's line. */
const labelOffset = 7
const lineRoom = 10
/**
 * A phone's values of the bar at the crosshair take a line at the top, two on the smallest, and each indicator over the bars
 * one more: no label is written through them.
 */
const valuesHeight = 44
const valuesLine = 16
/** If the bars have less height than this, labels would cover them. */
const heightMin = 110

/** The highest and the lowest visible price, each with a leader line towards the side with more space. */
export function extremesPrimitive(state: RenderState, scales: Scales): ISeriesPrimitive<Time> {
  return primitive<Time>([layer('top', (target) => draw(target, state, scales))])
}

/** Indices of the highest high and the lowest low within `from` to `to`; the newest of equals. */
export function extremesOf(
  bars: readonly Candle[],
  from: number,
  to: number,
): { high: number; low: number } | undefined {
  let high = -1
  let low = -1
  for (let i = Math.max(0, from); i <= to; i++) {
    const bar = bars[i]
    if (bar === undefined) continue
    if (high < 0 || bar.high >= (bars[high]?.high ?? 0)) high = i
    if (low < 0 || bar.low <= (bars[low]?.low ?? 0)) low = i
  }
  return high < 0 ? undefined : { high, low }
}

/** A label's y, moved away from the newest price's line if that would cross it, to the side where it is not cut. */
export function avoidPriceLine(y: number, lineY: number | undefined): number {
  if (lineY === undefined || Math.abs(y - lineY) >= lineRoom) return y
  const above = lineY - lineRoom
  return y < lineY && above >= labelOffset ? above : lineY + lineRoom
}

export const isBehindValues = (
  y: number,
  { crosshairY, legendLines }: Pick<RenderState, 'crosshairY' | 'legendLines'>,
): boolean => crosshairY !== undefined && y < valuesHeight + legendLines * valuesLine

type Point = { x: number; y: number }

/**
 * The side on which a label of a width has its place beside a bar: where it touches no disc, and first where there is more
 * space. Undefined if there is none.
 */
export function sideOf(
  bar: Point,
  width: number,
  plotWidth: number,
  discs: readonly Point[],
): 1 | -1 | undefined {
  const first = bar.x < plotWidth * 0.4 ? 1 : -1
  const reach = lead + gap + width
  return ([first, -first] as const).find((side): side is 1 | -1 => {
    const [left, right] = side === 1 ? [bar.x, bar.x + reach] : [bar.x - reach, bar.x]
    const touches = ({ x, y }: Point) =>
      Math.abs(y - bar.y) < labelOffset + discRadius && x > left - discRadius && x < right + discRadius
    return left >= 0 && right <= plotWidth && !discs.some(touches)
  })
}

function draw(target: Target, state: RenderState, scales: Scales): void {
  const range = scales.visible()
  const bars = state.bars()
  const extremes = range && extremesOf(bars, range.from, range.to)
  if (extremes === undefined || extremes.high === extremes.low) return
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    if (plotBottom(mediaSize.height) < heightMin) return
    const newest = bars.at(-1)
    const lineY = newest && scales.yOf(newest.close)
    const discs = discsOf(state, scales)
    context.font = fontOf(state)
    context.fillStyle = state.theme.text2
    context.strokeStyle = state.theme.text2
    context.textBaseline = 'middle'
    for (const [index, price, side] of [
      [extremes.high, bars[extremes.high]?.high, -1],
      [extremes.low, bars[extremes.low]?.low, 1],
    ] as const) {
      const x = scales.xOf(index)
      const barY = price === undefined ? undefined : scales.yOf(price)
      if (x === undefined || barY === undefined || price === undefined) continue
      const y = avoidPriceLine(barY + side * labelOffset, lineY)
      if (isBehindValues(y, state)) continue
      const text = state.format.price(price)
      const toward = sideOf({ x, y }, context.measureText(text).width, mediaSize.width, discs)
      if (toward === undefined) continue
      context.beginPath()
      context.moveTo(x, y)
      context.lineTo(x + toward * lead, y)
      context.stroke()
      context.textAlign = toward > 0 ? 'left' : 'right'
      context.fillText(text, x + toward * (lead + gap), y + 0.5)
    }
  })
}
