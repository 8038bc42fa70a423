import type { AutoscaleInfo, ISeriesPrimitive, Time } from 'lightweight-charts'
import { logicalOf } from '../bars.ts'
import type { Context, Scope } from '../canvas.ts'
import { drawDisc, drawVerticalLine, drawHorizontalLine, fillBand } from '../canvas.ts'
import { discPositions, plotBottom, visibleSpan } from '../geometry.ts'
import type { RenderState } from '../renderState.ts'
import type { ChartMark } from '../port.ts'
import type { Scales } from './painter.ts'
import { layer, primitive } from './painter.ts'

const discRadius = 8
const flagSize = 16
const flagTop = 2
const windowWidthMin = 3
const meanWidthMin = 12

/**
 * Open orders: a disc with the direction's arrow at the entry, a line from it to the expiry, and the expiry as a dashed
 * line with an hourglass, at its true time in the empty part at the right. The window of an averaged exit is a band before
 * the expiry, and its mean so far a line.
 */
export function orderMarksPrimitive(state: RenderState, scales: Scales): ISeriesPrimitive<Time> {
  const expiries = layer('bottom', (target) =>
    target.useBitmapCoordinateSpace((scope) => {
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

/** Extends the price scale so that entries stay visible. */
function rangeOf(marks: readonly ChartMark[]): AutoscaleInfo | null {
  const prices = marks.flatMap(({ entry }) => (entry === undefined ? [] : [entry.price]))
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
    drawVerticalLine(scope, x, flagTop + flagSize, plotBottom(height), state.theme.line)
    if (flags.every((other) => Math.abs(other - x) > flagSize - 2)) {
      drawFlag(scope, state, Math.min(x, width - flagSize / 2 - 1))
      flags.push(x)
    }
  }
}

function drawFlag(scope: Scope, state: RenderState, x: number): void {
  const { context } = scope
  context.save()
  context.scale(scope.horizontalPixelRatio, scope.verticalPixelRatio)
  context.beginPath()
  context.roundRect(x - flagSize / 2, flagTop, flagSize, flagSize, 4)
  context.fillStyle = state.theme.ground
  context.fill()
  context.lineWidth = 1
  context.strokeStyle = state.theme.line
  context.stroke()
  context.strokeStyle = state.theme.text2
  hourglass(context, x, flagTop + flagSize / 2)
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

type Entry = { x: number; y: number; to: number; direction: ChartMark['direction'] }

function entryOf(mark: ChartMark, state: RenderState, scales: Scales): Entry | undefined {
  if (mark.entry === undefined) return undefined
  const y = scales.yOf(mark.entry.price)
  const x = xOfTime(state, scales, mark.entry.at)
  const to = xOfTime(state, scales, mark.closeAt)
  if (y === undefined || x === undefined || to === undefined) return undefined
  return { x, y, to, direction: mark.direction }
}

/** Lines first, so that no line crosses another order's disc. */
function drawEntries(scope: Scope, state: RenderState, scales: Scales): void {
  const { width } = scope.mediaSize
  const colorOf = ({ direction }: Entry): string => state.theme[direction]
  const entries = state.marks.flatMap((mark) => entryOf(mark, state, scales) ?? [])
  for (const entry of entries) {
    const { x, y, to } = entry
    drawHorizontalLine(scope, Math.max(0, x), Math.min(to, width), y, { color: colorOf(entry), width: 1.5 })
  }
  const discXs = discPositions(entries)
  for (const [i, entry] of entries.entries()) {
    const x = discXs[i] ?? entry.x
    drawDisc(scope, x, entry.y, discRadius + 1.5, state.theme.ground)
    drawDisc(scope, x, entry.y, discRadius, colorOf(entry))
    drawArrow(scope, x, entry.y, entry.direction === 'up' ? -1 : 1, state.theme.ground)
  }
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
