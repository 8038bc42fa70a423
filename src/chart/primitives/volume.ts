import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import { snapToPixels, type Scope } from '../canvas.ts'
import { bodyWidth, plotBottom, volumeHeight } from '../geometry.ts'
import type { RenderState } from '../renderState.ts'
import { layer, primitive, type Scales } from './painter.ts'

/** Volume of the visible bars, at the bottom of the plot, scaled to the largest of them. */
export function volumePrimitive(state: RenderState, scales: Scales): ISeriesPrimitive<Time> {
  return primitive<Time>([
    layer('normal', (target) => target.useBitmapCoordinateSpace((scope) => draw(scope, state, scales))),
  ])
}

function draw(scope: Scope, state: RenderState, scales: Scales): void {
  const range = scales.visible()
  if (range === undefined || state.hasVolumePane) return
  const bars = state.bars()
  let largest = 0
  for (let i = range.from; i <= range.to; i++) largest = Math.max(largest, bars[i]?.volume ?? 0)
  if (largest === 0) return
  const { context, verticalPixelRatio: ry } = scope
  // Covers the price grid below the prices.
  const floor = Math.round(plotBottom(scope.mediaSize.height) * ry)
  context.fillStyle = state.theme.ground
  context.fillRect(0, floor, scope.bitmapSize.width, scope.bitmapSize.height - floor)
  const maxHeight = volumeHeight(scope.mediaSize.height)
  const width = bodyWidth(scales.pitch())
  context.fillStyle = state.theme.faint
  for (let i = range.from; i <= range.to; i++) {
    const x = scales.xOf(i)
    const volume = bars[i]?.volume ?? 0
    if (x === undefined || volume <= 0) continue
    const { start, size } = snapToPixels(x, width, scope.horizontalPixelRatio)
    const height = Math.max(1, Math.round((volume / largest) * maxHeight * ry))
    context.fillRect(start, scope.bitmapSize.height - height, size, height)
  }
}
