import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import type { Scope, Target } from '../canvas.ts'
import { disc, levelLine } from '../canvas.ts'
import type { Look } from '../look.ts'
import { fontOf, priceColor } from '../look.ts'
import type { Scales } from './painter.ts'
import { layer, primitive } from './painter.ts'

const tagHeight = 20
/** Where the library begins its own labels on the axis. */
const axisTextLeft = 10

/** The newest price: a dotted line across the plot, a dot on its bar, and its tag on the axis. */
export function priceLinePrimitive(look: Look, scales: Scales): ISeriesPrimitive<Time> {
  const y = (): number | undefined => {
    const last = look.bars().at(-1)
    return last === undefined ? undefined : scales.yOf(last.close)
  }
  const line = layer('normal', (target) =>
    target.useBitmapCoordinateSpace((scope) => drawLine(scope, look, scales, y())),
  )
  const tag = layer('top', (target) => drawTag(target, look, y()))
  const tags = [tag]
  return primitive<Time>([line], { priceAxisPaneViews: () => tags })
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
    context.textAlign = 'left'
    context.textBaseline = 'middle'
    context.fillStyle = look.theme.ground
    context.fillText(look.format.price(last.close), axisTextLeft, y + 0.5)
  })
}
