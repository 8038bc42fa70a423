import { plotBottom } from '../geometry.ts'
import { fontOf, type RenderState } from '../renderState.ts'
import type { Target } from '../canvas.ts'

/** The height of a label on the axis, and the least distance of the middles of two. */
export const labelHeight = 20
/** Padding between the axis labels and the right edge. */
export const axisPadding = 8

/** The middle of a label: a price that is out of sight has it at the edge. */
export const labelMiddle = (y: number, height: number): number =>
  Math.min(Math.max(y, labelHeight / 2), Math.max(labelHeight / 2, height - labelHeight / 2))

/**
 * The middles of labels at `ys` so that none touches the tag at `tagY` or another one: each moves away from the tag, and one
 * without room above it goes below.
 */
export function placedBeside(ys: readonly number[], tagY: number | undefined): number[] {
  const placed = new Map<number, number>()
  const order = ys.map((_, index) => index).sort((a, b) => (ys[a] ?? 0) - (ys[b] ?? 0))
  const isAbove = (index: number): boolean => tagY !== undefined && (ys[index] ?? 0) <= tagY
  let ceiling = tagY === undefined ? 0 : tagY - labelHeight
  const below = order.filter((index) => !isAbove(index))
  for (const index of order.filter(isAbove).reverse()) {
    const y = Math.min(ys[index] ?? 0, ceiling)
    if (y < labelHeight / 2) below.unshift(index)
    else {
      placed.set(index, y)
      ceiling = y - labelHeight
    }
  }
  let floor = tagY === undefined ? Number.NEGATIVE_INFINITY : tagY + labelHeight
  for (const index of below) {
    const y = Math.max(ys[index] ?? 0, floor)
    placed.set(index, y)
    floor = y + labelHeight
  }
  return ys.map((y, index) => placed.get(index) ?? y)
}

export type LineLabel = { price: number; name: string; y: number }

/** The labels of the member's lines that are in sight, beside the tag of the newest price. */
export function lineLabels(
  { lines }: RenderState,
  yOf: (price: number) => number | undefined,
  tagY: number | undefined,
  height: number,
): LineLabel[] {
  const seen = lines.flatMap((line) => {
    const y = yOf(line.price)
    return y === undefined || y < 0 || y > plotBottom(height) ? [] : [{ ...line, y: labelMiddle(y, height) }]
  })
  const ys = placedBeside(
    seen.map(({ y }) => y),
    tagY,
  )
  return seen.map((label, index) => ({ ...label, y: ys[index] ?? label.y }))
}

/** Prices on the axis. */
export function drawLinePrices(
  target: Target,
  state: RenderState,
  labelsOf: (height: number) => LineLabel[],
): void {
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    for (const { price, y } of labelsOf(mediaSize.height)) {
      context.beginPath()
      context.roundRect(0, y - labelHeight / 2, mediaSize.width - 2, labelHeight, 4)
      context.fillStyle = state.theme.accent
      context.fill()
      context.font = fontOf(state)
      context.textAlign = 'right'
      context.textBaseline = 'middle'
      context.fillStyle = state.theme.ground
      context.fillText(state.format.price(price), mediaSize.width - axisPadding, y + 0.5)
    }
  })
}

/** Names at the right edge of the plot, beside their prices. */
export function drawLineNames(
  target: Target,
  state: RenderState,
  labelsOf: (height: number) => LineLabel[],
): void {
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    context.font = fontOf(state)
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    for (const { name, y } of labelsOf(mediaSize.height)) {
      if (name === '') continue
      const width = context.measureText(name).width + 2 * namePadding
      context.beginPath()
      context.roundRect(mediaSize.width - width - nameGap, y - labelHeight / 2, width, labelHeight, 4)
      context.fillStyle = state.theme.accent
      context.fill()
      context.fillStyle = state.theme.ground
      context.fillText(name, mediaSize.width - namePadding - nameGap, y + 0.5)
    }
  })
}

const namePadding = 6
/** Between a name and the axis, px. */
const nameGap = 2
