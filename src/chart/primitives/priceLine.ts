import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import type { Scope, Target } from '../canvas.ts'
import { drawDisc, drawHorizontalLine } from '../canvas.ts'
import { plotBottom } from '../geometry.ts'
import type { RenderState } from '../renderState.ts'
import { fontOf, priceColor } from '../renderState.ts'
import type { Scales } from './painter.ts'
import { layer, primitive } from './painter.ts'

const tagHeight = 20
/** Padding between the axis labels and the right edge. */
const axisPadding = 8
/** Half a label's height: closer to an edge it would be cut off. */
const labelHalfHeight = 8

/**
 * The newest price: a dotted line across the plot, a dot on its bar, and its tag on the axis, where it replaces
 * overlapping grid labels.
 */
export function priceLinePrimitive(state: RenderState, scales: Scales): ISeriesPrimitive<Time> {
  const y = (): number | undefined => {
    const last = state.bars().at(-1)
    return last === undefined ? undefined : scales.yOf(last.close)
  }
  const line = layer('normal', (target) =>
    target.useBitmapCoordinateSpace((scope) => drawLine(scope, state, scales, y())),
  )
  const axis = layer('top', (target) => {
    drawLevels(target, state, scales, y())
    drawTag(target, state, y())
  })
  const axes = [axis]
  return primitive<Time>([line], { priceAxisPaneViews: () => axes })
}

function drawLine(scope: Scope, state: RenderState, scales: Scales, y: number | undefined): void {
  const { width, height } = scope.mediaSize
  if (y === undefined || y < 0 || y > height) return
  drawHorizontalLine(scope, 0, width, y, { color: priceColor(state), width: 1, dash: [1, 3] })
  const x = scales.xOf(state.bars().length - 1)
  if (x === undefined || state.stale) return
  drawDisc(scope, x, y, 4.5, state.theme.ground)
  drawDisc(scope, x, y, 3, priceColor(state))
}

function drawLevels(target: Target, state: RenderState, scales: Scales, tagY: number | undefined): void {
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    context.font = fontOf(state)
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    context.fillStyle = state.theme.text3
    for (const price of state.levels) {
      const y = scales.yOf(price)
      if (y === undefined || y < labelHalfHeight || y > plotBottom(mediaSize.height)) continue
      if (tagY !== undefined && Math.abs(y - tagY) < tagHeight / 2 + labelHalfHeight) continue
      context.fillText(state.format.price(price), mediaSize.width - axisPadding, y + 0.5)
    }
  })
}

function drawTag(target: Target, state: RenderState, y: number | undefined): void {
  const last = state.bars().at(-1)
  if (y === undefined || last === undefined) return
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    if (y < -tagHeight || y > mediaSize.height + tagHeight) return
    context.beginPath()
    context.roundRect(0, y - tagHeight / 2, mediaSize.width - 2, tagHeight, 4)
    context.fillStyle = priceColor(state)
    context.fill()
    context.font = fontOf(state, 600)
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    context.fillStyle = state.theme.ground
    context.fillText(state.format.price(last.close), mediaSize.width - axisPadding, y + 0.5)
  })
}
