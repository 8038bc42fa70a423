import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import type { Scope } from '../canvas.ts'
import { crisp } from '../canvas.ts'
import { bodyWidth, floorOf, volumeHeight } from '../geometry.ts'
import type { Look } from '../look.ts'
import type { Scales } from './painter.ts'
import { layer, primitive } from './painter.ts'

/** Volume of the bars on screen, at the foot of the plot, scaled to the largest of them. */
export function volumePrimitive(look: Look, scales: Scales): ISeriesPrimitive<Time> {
  return primitive<Time>([
    layer('normal', (target) => target.useBitmapCoordinateSpace((scope) => draw(scope, look, scales))),
  ])
}

function draw(scope: Scope, look: Look, scales: Scales): void {
  const range = scales.visible()
  if (range === undefined) return
  const bars = look.bars()
  let most = 0
  for (let i = range.from; i <= range.to; i++) most = Math.max(most, bars[i]?.volume ?? 0)
  if (most === 0) return
  const { context, verticalPixelRatio: ry } = scope
  // Lines of the price grid end where the prices end.
  const floor = Math.round(floorOf(scope.mediaSize.height) * ry)
  context.fillStyle = look.theme.ground
  context.fillRect(0, floor, scope.bitmapSize.width, scope.bitmapSize.height - floor)
  const room = volumeHeight(scope.mediaSize.height)
  const width = bodyWidth(scales.pitch())
  context.fillStyle = look.theme.faint
  for (let i = range.from; i <= range.to; i++) {
    const x = scales.xOf(i)
    const volume = bars[i]?.volume ?? 0
    if (x === undefined || volume <= 0) continue
    const { start, size } = crisp(x, width, scope.horizontalPixelRatio)
    const height = Math.max(1, Math.round((volume / most) * room * ry))
    context.fillRect(start, scope.bitmapSize.height - height, size, height)
  }
}
