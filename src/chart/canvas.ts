import type { ICustomSeriesPaneRenderer } from 'lightweight-charts'

/** The library's drawing target, derived from its renderer type. */
export type Target = Parameters<ICustomSeriesPaneRenderer['draw']>[0]
export type Scope = Parameters<Parameters<Target['useBitmapCoordinateSpace']>[0]>[0]
export type Context = Scope['context']

/** A line of whole device px around a CSS position, so that it is sharp at any pixel ratio. */
export function snapToPixels(
  position: number,
  width: number,
  ratio: number,
): { start: number; size: number } {
  const size = Math.max(1, Math.round(width * ratio))
  return { start: Math.round(position * ratio) - Math.floor(size / 2), size }
}

/** A horizontal line in device px, with dashes of CSS px. */
export function drawHorizontalLine(
  scope: Scope,
  from: number,
  to: number,
  y: number,
  stroke: { color: string; width: number; dash?: [on: number, off: number] },
): void {
  const { context, horizontalPixelRatio: ratio } = scope
  const { start, size } = snapToPixels(y, stroke.width, scope.verticalPixelRatio)
  context.fillStyle = stroke.color
  if (stroke.dash === undefined) {
    context.fillRect(Math.round(from * ratio), start, Math.round((to - from) * ratio), size)
    return
  }
  const [on, off] = stroke.dash
  for (let x = from; x < to; x += on + off) {
    context.fillRect(
      Math.round(x * ratio),
      start,
      Math.max(1, Math.round(Math.min(on, to - x) * ratio)),
      size,
    )
  }
}

/** A translucent rectangle in device px. */
export function fillBand(
  scope: Scope,
  [from, to]: readonly [number, number],
  [top, bottom]: readonly [number, number],
  fill: { color: string; opacity: number },
): void {
  const { context, horizontalPixelRatio: rx, verticalPixelRatio: ry } = scope
  const [left, upper] = [Math.round(from * rx), Math.round(top * ry)]
  context.save()
  context.globalAlpha = fill.opacity
  context.fillStyle = fill.color
  context.fillRect(left, upper, Math.max(1, Math.round(to * rx) - left), Math.round(bottom * ry) - upper)
  context.restore()
}

/** A vertical dashed line in device px. */
export function drawVerticalLine(scope: Scope, x: number, from: number, to: number, color: string): void {
  const { context, verticalPixelRatio: ratio } = scope
  const { start, size } = snapToPixels(x, 1, scope.horizontalPixelRatio)
  context.fillStyle = color
  for (let y = from; y < to; y += 6) {
    context.fillRect(start, Math.round(y * ratio), size, Math.max(1, Math.round(Math.min(3, to - y) * ratio)))
  }
}

export function drawDisc(scope: Scope, x: number, y: number, radius: number, color: string): void {
  const { context, horizontalPixelRatio: rx, verticalPixelRatio: ry } = scope
  context.beginPath()
  context.ellipse(x * rx, y * ry, radius * rx, radius * ry, 0, 0, 2 * Math.PI)
  context.fillStyle = color
  context.fill()
}
