import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import type { Candle } from '../../../contract/candles.ts'
import type { Target } from '../canvas.ts'
import { plotBottom } from '../geometry.ts'
import type { RenderState } from '../renderState.ts'
import { fontOf } from '../renderState.ts'
import type { Scales } from './painter.ts'
import { layer, primitive } from './painter.ts'

const lead = 12
const gap = 4
/** Distance of a price from the middle of its label, and minimum distance of that from the newest price's line. */
const labelOffset = 7
const lineRoom = 10
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

function draw(target: Target, state: RenderState, scales: Scales): void {
  const range = scales.visible()
  const bars = state.bars()
  const extremes = range && extremesOf(bars, range.from, range.to)
  if (extremes === undefined || extremes.high === extremes.low) return
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    if (plotBottom(mediaSize.height) < heightMin) return
    const newest = bars.at(-1)
    const lineY = newest && scales.yOf(newest.close)
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
      const toward = x < mediaSize.width * 0.4 ? 1 : -1
      context.beginPath()
      context.moveTo(x, y)
      context.lineTo(x + toward * lead, y)
      context.stroke()
      context.textAlign = toward > 0 ? 'left' : 'right'
      context.fillText(state.format.price(price), x + toward * (lead + gap), y + 0.5)
    }
  })
}
