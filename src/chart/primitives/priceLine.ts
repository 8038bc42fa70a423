import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import type { Scope, Target } from '../canvas.ts'
import { disc, levelLine } from '../canvas.ts'
import { floorOf } from '../geometry.ts'
import type { Look } from '../look.ts'
import { fontOf, priceColor } from '../look.ts'
import type { Scales } from './painter.ts'
import { layer, primitive } from './painter.ts'

const tagHeight = 20
/** Air between the axis' figures and the right edge. */
const axisAir = 8
/** Half a label's height: nearer to an edge it would be cut. */
const labelRoom = 8

/**
 * The newest price: a dotted line across the plot, a dot on its bar, and its tag on the axis, where the grid's own
 * prices give way to it.
 */
export function priceLinePrimitive(look: Look, scales: Scales): ISeriesPrimitive<Time> {
  const y = (): number | undefined => {
    const last = look.bars().at(-1)
    return last === undefined ? undefined : scales.yOf(last.close)
  }
  const line = layer('normal', (target) =>
    target.useBitmapCoordinateSpace((scope) => drawLine(scope, look, scales, y())),
  )
  const axis = layer('top', (target) => {
    drawLevels(target, look, scales, y())
    drawTag(target, look, y())
  })
  const axes = [axis]
  return primitive<Time>([line], { priceAxisPaneViews: () => axes })
}

function drawLine(scope: Scope, look: Look, scales: Scales, y: number | undefined): void {
  const { width, height } = scope.mediaSize
  if (y === undefined || y < 0 || y > height) return
  levelLine(scope, 0, width, y, { color: priceColor(look), width: 1, dash: [1, 3] })
  const x = scales.xOf(look.bars().length - 1)
  if (x === undefined || look.stale) return
  disc(scope, x, y, 4.5, look.theme.ground)
  disc(scope, x, y, 3, priceColor(look))
}

function drawLevels(target: Target, look: Look, scales: Scales, tagY: number | undefined): void {
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    context.font = fontOf(look)
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    context.fillStyle = look.theme.text3
    for (const price of look.levels) {
      const y = scales.yOf(price)
      if (y === undefined || y < labelRoom || y > floorOf(mediaSize.height)) continue
      if (tagY !== undefined && Math.abs(y - tagY) < tagHeight / 2 + labelRoom) continue
      context.fillText(look.format.price(price), mediaSize.width - axisAir, y + 0.5)
    }
  })
}

function drawTag(target: Target, look: Look, y: number | undefined): void {
  const last = look.bars().at(-1)
  if (y === undefined || last === undefined) return
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    if (y < -tagHeight || y > mediaSize.height + tagHeight) return
    context.beginPath()
    context.roundRect(0, y - tagHeight / 2, mediaSize.width - 2, tagHeight, 4)
    context.fillStyle = priceColor(look)
    context.fill()
    context.font = fontOf(look, 600)
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    context.fillStyle = look.theme.ground
    context.fillText(look.format.price(last.close), mediaSize.width - axisAir, y + 0.5)
  })
}
