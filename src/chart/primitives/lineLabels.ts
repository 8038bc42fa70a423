import { plotBottom } from '../geometry.ts'
import { fontOf, type RenderState } from '../renderState.ts'
import type { Context, Target } from '../canvas.ts'
import type { ChartLine, ChartMark, LabelledPrice } from '../types.ts'

/** The height of a label on the axis, and the least distance of the middles of two. */
export const labelHeight = 20
/** Padding between the axis labels and the right edge. */
export const axisPadding = 8
/** Entries whose labels would be closer, px, share the first one's. */
const sharedWithin = labelHeight / 2

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

/** The entries of open orders and the lines, as prices with a label on the axis. */
export const labelledPrices = (
  marks: readonly ChartMark[],
  lines: readonly ChartLine[],
): readonly LabelledPrice[] => [
  ...marks.flatMap(({ direction, entry, exit }) =>
    entry === undefined || exit !== undefined ? [] : [{ kind: direction, price: entry.price, name: '' }],
  ),
  ...lines,
]

/** Of kind `both` it is the label of orders in both directions. */
export type LineLabel = Omit<LabelledPrice, 'kind'> & { kind: LabelledPrice['kind'] | 'both'; y: number }

const isEntry = ({ kind }: Pick<LineLabel, 'kind'>): boolean => kind !== 'line' && kind !== 'alert'
const none: readonly LineLabel[] = []

/** The labels that are in sight, beside the tag of the newest price; one that has no room is left out. */
export function lineLabels(
  { labelled }: Pick<RenderState, 'labelled'>,
  yOf: (price: number) => number | undefined,
  tagY: number | undefined,
  height: number,
): readonly LineLabel[] {
  if (labelled.length === 0) return none
  const seen: LineLabel[] = []
  for (const each of labelled) {
    const at = yOf(each.price)
    if (at === undefined || at < 0 || at > plotBottom(height)) continue
    const y = labelMiddle(at, height)
    const shared = isEntry(each)
      ? seen.find((other) => isEntry(other) && Math.abs(other.y - y) < sharedWithin)
      : undefined
    if (shared === undefined) seen.push({ ...each, y })
    else if (shared.kind !== each.kind) shared.kind = 'both'
  }
  const ys = placedBeside(
    seen.map(({ y }) => y),
    tagY,
  )
  return seen.flatMap((label, index) => {
    const y = ys[index] ?? label.y
    return y > height - labelHeight / 2 ? [] : [{ ...label, y }]
  })
}

/** Prices on the axis. */
export function drawLinePrices(
  target: Target,
  state: RenderState,
  labelsOf: (height: number) => readonly LineLabel[],
): void {
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    context.font = fontOf(state)
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    for (const { kind, price, y } of labelsOf(mediaSize.height)) {
      drawBox(context, state, kind, { x: 0, y, width: mediaSize.width - 2 })
      context.fillText(state.format.price(price), mediaSize.width - axisPadding, y + 0.5)
    }
  })
}

/** Names at the right edge of the plot, beside their prices; on a phone none is behind the values of indicators. */
export function drawLineNames(
  target: Target,
  state: RenderState,
  labelsOf: (height: number) => readonly LineLabel[],
): void {
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    context.font = fontOf(state)
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    for (const { kind, name, y } of labelsOf(mediaSize.height)) {
      if (name === '' || isBehindLegend(y, mediaSize.width, state)) continue
      const width = context.measureText(name).width + 2 * namePadding
      drawBox(context, state, kind, { x: mediaSize.width - width - nameGap, y, width })
      context.fillText(name, mediaSize.width - namePadding - nameGap, y + 0.5)
    }
  })
}

const isBehindLegend = (
  y: number,
  width: number,
  { legendLines }: Pick<RenderState, 'legendLines'>,
): boolean =>
  width < legendWidth && legendLines > 0 && y - labelHeight / 2 < legendTop + legendLines * legendLine

/** The box of a label, and the colour of its text: a line of the member is filled, what comes from elsewhere only outlined. */
function drawBox(
  context: Pick<
    Context,
    'beginPath' | 'roundRect' | 'fill' | 'stroke' | 'fillStyle' | 'strokeStyle' | 'lineWidth'
  >,
  { theme }: RenderState,
  kind: LineLabel['kind'],
  { x, y, width }: { x: number; y: number; width: number },
): void {
  const isFilled = kind === 'line'
  const inset = isFilled ? 0 : 0.5
  context.beginPath()
  context.roundRect(x + inset, y - labelHeight / 2 + inset, width - 2 * inset, labelHeight - 2 * inset, 4)
  context.fillStyle = isFilled ? theme.accent : theme.ground
  context.fill()
  if (!isFilled) {
    context.lineWidth = 1
    context.strokeStyle = kind === 'up' || kind === 'down' ? theme[kind] : theme.text3
    context.stroke()
  }
  context.fillStyle = isFilled ? theme.ground : kind === 'up' || kind === 'down' ? theme[kind] : theme.text2
}

/** Of the values of indicators over the bars, px: they reach the names only in a narrower plot. */
const legendWidth = 400
const legendTop = 6
const legendLine = 16
const namePadding = 6
/** Between a name and the axis, px. */
const nameGap = 2
