import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import type { Scope } from '../canvas.ts'
import { snapToPixels } from '../canvas.ts'
import { bodyWidth, plotBottom, volumeHeight } from '../geometry.ts'
import type { RenderState } from '../renderState.ts'
import type { Scales } from './painter.ts'
import { layer, primitive } from './painter.ts'

/** Volume of the bars on screen, at the foot of the plot, scaled to the largest of them. */
export function volumePrimitive(state: RenderState, scales: Scales): ISeriesPrimitive<Time> {
  return primitive<Time>([
    layer('normal', (target) => target.useBitmapCoordinateSpace((scope) => draw(scope, state, scales))),
  ])
}

function draw(scope: Scope, state: RenderState, scales: Scales): void {
  const range = scales.visible()
  if (range === undefined) return
  const bars = state.bars()
  let most = 0
  for (let i = range.from; i <= range.to; i++) most = Math.max(most, bars[i]?.volume ?? 0)
  if (most === 0) return
  const { context, verticalPixelRatio: ry } = scope
  // Lines of the price grid end where the prices end.
  const floor = Math.round(plotBottom(scope.mediaSize.height) * ry)
  context.fillStyle = state.theme.ground
  context.fillRect(0, floor, scope.bitmapSize.width, scope.bitmapSize.height - floor)
  const room = volumeHeight(scope.mediaSize.height)
  const width = bodyWidth(scales.pitch())
  context.fillStyle = state.theme.faint
  for (let i = range.from; i <= range.to; i++) {
    const x = scales.xOf(i)
    const volume = bars[i]?.volume ?? 0
    if (x === undefined || volume <= 0) continue
    const { start, size } = snapToPixels(x, width, scope.horizontalPixelRatio)
    const height = Math.max(1, Math.round((volume / most) * room * ry))
    context.fillRect(start, scope.bitmapSize.height - height, size, height)
  }
}
