import type { AutoscaleInfo, ISeriesPrimitive, Time } from 'lightweight-charts'
import { logicalOf } from '../bars.ts'
import {
  drawDisc,
  drawVerticalLine,
  drawHorizontalLine,
  fillBand,
  snapToPixels,
  type Context,
  type Scope,
} from '../canvas.ts'
import { discPositions, plotBottom, visibleSpan } from '../geometry.ts'
import type { RenderState } from '../renderState.ts'
import type { ChartMark } from '../types.ts'
import { layer, primitive, type Scales } from './painter.ts'

export const discRadius = 8
const exitRadius = 5.5
const flagSize = 16
const windowWidthMin = 3
const meanWidthMin = 12

/**
 * Open orders: a disc with the direction's arrow at the entry, a line from it to the expiry, and the expiry as a dashed
 * line with an hourglass at its foot, at its true time in the empty part at the right: at the top are the legends. The
 * window of an averaged exit is a band before the expiry, and its mean so far a line.
 * Settled ones: entry and exit, the time between them as a band, and how far apart they are as a line. They are grey, because
 * a win and a loss look the same, and the colour of a direction would contradict one of them.
 */
export function orderMarksPrimitive(state: RenderState, scales: Scales): ISeriesPrimitive<Time> {
  const expiries = layer('bottom', (target) =>
    target.useBitmapCoordinateSpace((scope) => {
      drawHoldingTimes(scope, state, scales)
      drawWindows(scope, state, scales)
      drawExpiries(scope, state, scales)
    }),
  )
  const entries = layer('top', (target) =>
    target.useBitmapCoordinateSpace((scope) => {
      drawMeans(scope, state, scales)
      drawEntries(scope, state, scales)
    }),
  )
  return primitive<Time>([expiries, entries], { autoscaleInfo: () => rangeOf(state.marks) })
}

/** Extends the price scale so that entries and exits stay visible. */
function rangeOf(marks: readonly ChartMark[]): AutoscaleInfo | null {
  const prices = marks.flatMap(({ entry, exit }) =>
    [entry, exit].flatMap((each) => (each === undefined ? [] : [each.price])),
  )
  if (prices.length === 0) return null
  return { priceRange: { minValue: Math.min(...prices), maxValue: Math.max(...prices) } }
}

function xOfTime(state: RenderState, scales: Scales, at: number): number | undefined {
  const logical = logicalOf(state.bars(), at, state.tfMs)
  return logical === undefined ? undefined : scales.xOf(logical)
}

type Window = { from: number; to: number; mean: number | undefined }

/** The windows within the plot, in px. */
function windowsOf({ mediaSize }: Scope, state: RenderState, scales: Scales): Window[] {
  return state.marks.flatMap(({ window }) => {
    if (window === undefined) return []
    const from = xOfTime(state, scales, window.from)
    const to = xOfTime(state, scales, window.to)
    if (from === undefined || to === undefined || to < 0 || from > mediaSize.width) return []
    return [{ from, to, mean: window.mean === undefined ? undefined : scales.yOf(window.mean) }]
  })
}

function drawWindows(scope: Scope, state: RenderState, scales: Scales): void {
  const rows = [0, plotBottom(scope.mediaSize.height)] as const
  for (const { from, to } of windowsOf(scope, state, scales)) {
    const fill = { color: state.theme.accent, opacity: 0.2 }
    fillBand(scope, visibleSpan(from, to, windowWidthMin), rows, fill)
  }
}

function drawHoldingTimes(scope: Scope, state: RenderState, scales: Scales): void {
  const { width, height } = scope.mediaSize
  for (const { entry, exit } of state.marks) {
    if (entry === undefined || exit === undefined) continue
    const from = xOfTime(state, scales, entry.at)
    const to = xOfTime(state, scales, exit.at)
    if (from === undefined || to === undefined || to < 0 || from > width) continue
    fillBand(scope, visibleSpan(from, to, windowWidthMin), [0, plotBottom(height)], {
      color: state.theme.text2,
      opacity: 0.1,
    })
  }
}

function drawMeans(scope: Scope, state: RenderState, scales: Scales): void {
  for (const { from, to, mean } of windowsOf(scope, state, scales)) {
    if (mean === undefined) continue
    const [left, right] = visibleSpan(from, to, meanWidthMin)
    drawHorizontalLine(scope, left, right, mean, { color: state.theme.accent, width: 2 })
  }
}

function drawExpiries(scope: Scope, state: RenderState, scales: Scales): void {
  const { width, height } = scope.mediaSize
  const flags: number[] = []
  for (const mark of state.marks) {
    const x = xOfTime(state, scales, mark.closeAt)
    if (x === undefined || x > width) continue
    drawVerticalLine(scope, x, 0, flagTop(height), state.theme.line)
    if (mark.exit === undefined && flags.every((other) => Math.abs(other - x) > flagSize - 2)) {
      drawFlag(scope, state, Math.min(x, width - flagSize / 2 - 1))
      flags.push(x)
    }
  }
}

const flagTop = (height: number): number => plotBottom(height) - flagSize - 1

function drawFlag(scope: Scope, state: RenderState, x: number): void {
  const { context } = scope
  const top = flagTop(scope.mediaSize.height)
  context.save()
  context.scale(scope.horizontalPixelRatio, scope.verticalPixelRatio)
  context.beginPath()
  context.roundRect(x - flagSize / 2, top, flagSize, flagSize, 4)
  context.fillStyle = state.theme.ground
  context.fill()
  context.lineWidth = 1
  context.strokeStyle = state.theme.line
  context.stroke()
  context.strokeStyle = state.theme.text2
  hourglass(context, x, top + flagSize / 2)
  context.restore()
}

/** Two triangles tip to tip, 6 × 8. */
function hourglass(context: Context, x: number, y: number): void {
  context.beginPath()
  context.moveTo(x - 3, y - 4)
  context.lineTo(x + 3, y - 4)
  context.lineTo(x - 3, y + 4)
  context.lineTo(x + 3, y + 4)
  context.closePath()
  context.lineJoin = 'round'
  context.stroke()
}

type Entry = {
  x: number
  y: number
  to: number
  direction: ChartMark['direction']
  exit: { x: number; y: number } | undefined
}

function entryOf(mark: ChartMark, state: RenderState, scales: Scales): Entry | undefined {
  if (mark.entry === undefined) return undefined
  const y = scales.yOf(mark.entry.price)
  const x = xOfTime(state, scales, mark.entry.at)
  const to = xOfTime(state, scales, mark.closeAt)
  if (y === undefined || x === undefined || to === undefined) return undefined
  return { x, y, to, direction: mark.direction, exit: exitOf(mark, state, scales) }
}

function exitOf({ exit }: ChartMark, state: RenderState, scales: Scales): Entry['exit'] {
  const y = exit && scales.yOf(exit.price)
  const x = exit && xOfTime(state, scales, exit.at)
  return x === undefined || y === undefined ? undefined : { x, y }
}

/** The middles of all discs and rings, which no label is written through. */
export function discsOf(state: RenderState, scales: Scales): { x: number; y: number }[] {
  const entries = state.marks.flatMap((mark) => entryOf(mark, state, scales) ?? [])
  const xs = discPositions(entries)
  return entries.flatMap(({ x, y, exit }, i) => [{ x: xs[i] ?? x, y }, ...(exit === undefined ? [] : [exit])])
}

/** Lines first, so that no line crosses another order's disc. */
function drawEntries(scope: Scope, state: RenderState, scales: Scales): void {
  const { width } = scope.mediaSize
  const colorOf = ({ direction, exit }: Entry): string =>
    exit === undefined ? state.theme[direction] : state.theme.text2
  const entries = state.marks.flatMap((mark) => entryOf(mark, state, scales) ?? [])
  for (const entry of entries) {
    const { x, y, exit, to } = entry
    const end = Math.min(exit?.x ?? to, width)
    drawHorizontalLine(scope, Math.max(0, x), end, y, { color: colorOf(entry), width: 1.5 })
    if (exit !== undefined) drawExit(scope, exit, y, state)
  }
  const discXs = discPositions(entries)
  for (const [i, entry] of entries.entries()) {
    const x = discXs[i] ?? entry.x
    drawDisc(scope, x, entry.y, discRadius + 1.5, state.theme.ground)
    drawDisc(scope, x, entry.y, discRadius, colorOf(entry))
    drawArrow(scope, x, entry.y, entry.direction === 'up' ? -1 : 1, state.theme.ground)
  }
}

/** A ring at the exit, and a line to the height of the entry. */
function drawExit(
  scope: Scope,
  { x, y }: { x: number; y: number },
  entryY: number,
  { theme }: RenderState,
): void {
  const { start, size } = snapToPixels(x, 1.5, scope.horizontalPixelRatio)
  const [top, bottom] = [Math.min(y, entryY), Math.max(y, entryY)].map(
    (each) => each * scope.verticalPixelRatio,
  )
  scope.context.fillStyle = theme.text2
  scope.context.fillRect(start, Math.round(top ?? 0), size, Math.round((bottom ?? 0) - (top ?? 0)))
  for (const [radius, color] of [
    [exitRadius + 1.5, theme.ground],
    [exitRadius, theme.text2],
    [exitRadius - 2.5, theme.ground],
  ] as const)
    drawDisc(scope, x, y, radius, color)
}

function drawArrow(scope: Scope, x: number, y: number, sign: 1 | -1, color: string): void {
  const { context } = scope
  context.save()
  context.scale(scope.horizontalPixelRatio, scope.verticalPixelRatio)
  context.translate(x, y)
  context.beginPath()
  context.moveTo(0, -4 * sign)
  context.lineTo(0, 4 * sign)
  context.moveTo(-3.2, 0.8 * sign)
  context.lineTo(0, 4 * sign)
  context.lineTo(3.2, 0.8 * sign)
  context.lineWidth = 1.6
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.strokeStyle = color
  context.stroke()
  context.restore()
}
