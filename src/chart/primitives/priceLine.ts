import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import { drawDisc, drawHorizontalLine, type Scope, type Target } from '../canvas.ts'
import { plotBottom } from '../geometry.ts'
import { fontOf, priceColor, type RenderState } from '../renderState.ts'
import {
  axisPadding,
  drawLineNames,
  drawLinePrices,
  labelHeight,
  labelMiddle,
  lineLabels,
  type LineLabel,
} from './lineLabels.ts'
import { layer, primitive, type Scales } from './painter.ts'

const tagHeight = labelHeight
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
  const labelsOf = (height: number): readonly LineLabel[] => {
    const priceY = y()
    const tagY = priceY === undefined ? undefined : labelMiddle(priceY, height)
    return lineLabels(state, (price) => scales.yOf(price), tagY, height)
  }
  const names = layer('top', (target) => drawLineNames(target, state, labelsOf))
  const prices = layer('normal', (target) => drawLinePrices(target, state, labelsOf))
  // Where the label of the crosshair is, that is over the tag: the member is pointing at it.
  const below = layer('normal', (target) => drawTag(target, state, y(), true))
  const above = layer('top', (target) => drawTag(target, state, y(), false))
  const levels = layer('top', (target) => drawLevels(target, state, scales, y(), labelsOf))
  const axes = [prices, below, above, levels]
  return primitive<Time>([line, names], { priceAxisPaneViews: () => axes })
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

function drawLevels(
  target: Target,
  state: RenderState,
  scales: Scales,
  priceY: number | undefined,
  labelsOf: (height: number) => readonly LineLabel[],
): void {
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    context.font = fontOf(state)
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    context.fillStyle = state.theme.text3
    const tagY = priceY === undefined ? undefined : labelMiddle(priceY, mediaSize.height)
    const taken = [tagY, state.crosshairY, ...labelsOf(mediaSize.height).map(({ y }) => y)]
    for (const price of state.levels) {
      const y = scales.yOf(price)
      if (y === undefined || y < labelHalfHeight || y > plotBottom(mediaSize.height)) continue
      if (taken.some((other) => other !== undefined && isNear(y, other))) continue
      context.fillText(state.format.price(price), mediaSize.width - axisPadding, y + 0.5)
    }
  })
}

/** Whether a grid label would touch the tag, or the label of the crosshair or a line. */
const isNear = (y: number, other: number): boolean => Math.abs(y - other) < tagHeight / 2 + labelHalfHeight

/** @param underCrosshair draws it only if the crosshair's label touches it, otherwise only if not */
function drawTag(
  target: Target,
  state: RenderState,
  priceY: number | undefined,
  underCrosshair: boolean,
): void {
  const last = state.bars().at(-1)
  if (priceY === undefined || last === undefined) return
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    const y = labelMiddle(priceY, mediaSize.height)
    const isTouched = state.crosshairY !== undefined && Math.abs(state.crosshairY - y) < tagHeight
    if (isTouched !== underCrosshair) return
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
