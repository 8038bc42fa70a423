import { drawHorizontalLine, snapToPixels, type Scope } from '../canvas.ts'
import { bodyWidth } from '../geometry.ts'
import type { Scales } from '../primitives/painter.ts'
import type { RenderState } from '../renderState.ts'
import type { IndicatorColumns } from './columns.ts'
import { extentOfColumns, type Range } from './extent.ts'
import { indicatorRules, type IndicatorKind } from './kinds.ts'

/** Dashes in CSS px, because the lines of several indicators share colours and a pane. */
const dashes: Partial<Record<IndicatorKind, readonly number[]>> = { EMA: [5, 3], BOLL: [2, 3] }
const lineWidth = 1.25
/** A shift of the price scale below this, in device px, is not visible. */
const shiftMin = 0.01

/** The positions in a pane; its scales are linear, so two of each are enough for all. */
type Positions = {
  x: (bar: number) => number
  y: (value: number) => number
  pitch: number
  /** The lowest and the highest visible value. */
  ends: readonly [number, number]
}
/** Which bars are drawn. Lines begin one bar before and end at `lineTo`, so that they reach the edges. */
type Part = Range & { lineTo: number }
type LineStyle = { color: string; dash: readonly number[] }
type Picture = {
  canvas: HTMLCanvasElement
  /** What it depends on, but for the price scale. */
  basis: readonly unknown[]
  /** Two values and their heights, which tell whether the price scale is the same. */
  heights: readonly (readonly [value: number, y: number])[]
  /** The length of each line in device px: from where its dashes continue. */
  lengths: readonly number[]
}

/**
 * Draws the indicators of a pane. To stroke lines costs more than the rest of a frame, and a tick changes only their last
 * part: the rest is kept as a picture until the chart is moved, the price scale changes or a bar is added.
 */
export function createPlot(
  all: readonly IndicatorColumns[],
  state: RenderState,
  scales: Scales,
): (scope: Scope) => void {
  let picture: Picture | undefined
  return (scope) => {
    const visible = scales.visible()
    const positions = visible && positionsOf(all, scales, visible)
    if (visible === undefined || positions === undefined) return
    const newest = state.bars().length - 1
    const basis = basisOf(scope, all, state, visible, positions)
    if (picture === undefined || !isCurrent(picture, basis, positions, scope)) {
      const { from, to } = visible
      const part = { from, to: Math.min(to, newest - 1), lineTo: Math.min(to + 1, newest - 1) }
      const canvas = picture?.canvas ?? document.createElement('canvas')
      const lengths = paint(canvas, scope, all, state, positions, part)
      const heights = positions.ends.map((value) => [value, positions.y(value)] as const)
      picture = { canvas, basis, heights, lengths }
    }
    scope.context.drawImage(picture.canvas, 0, 0)
    if (visible.to + 1 < newest) return
    const part = { from: newest, to: visible.to, lineTo: newest }
    drawPart(scope, all, state, positions, part, picture.lengths)
  }
}

function positionsOf(
  all: readonly IndicatorColumns[],
  scales: Scales,
  visible: Range,
): Positions | undefined {
  const extent = extentOfColumns(all, visible)
  const left = scales.xOf(visible.from)
  if (extent === undefined || left === undefined) return undefined
  const base = extent.minValue
  const step = Math.max(extent.maxValue - base, Math.abs(base) * 1e-6, 1e-9)
  const [bottom, top] = [scales.yOf(base), scales.yOf(base + step)]
  if (bottom === undefined || top === undefined) return undefined
  const pitch = scales.pitch()
  return {
    pitch,
    ends: [base, base + step],
    x: (bar) => left + (bar - visible.from) * pitch,
    y: (value) => bottom + ((value - base) / step) * (top - bottom),
  }
}

const basisOf = (
  { bitmapSize, mediaSize }: Scope,
  all: readonly IndicatorColumns[],
  { theme }: RenderState,
  { from, to }: Range,
  { x, pitch }: Positions,
): readonly unknown[] => [
  bitmapSize.width,
  bitmapSize.height,
  mediaSize.width,
  mediaSize.height,
  theme,
  from,
  to,
  x(from),
  pitch,
  ...all.map((each) => each.revision()),
]

const isCurrent = (
  picture: Picture,
  basis: readonly unknown[],
  { y }: Positions,
  { verticalPixelRatio }: Scope,
): boolean =>
  basis.every((value, i) => value === picture.basis[i]) &&
  picture.heights.every(([value, height]) => Math.abs(y(value) - height) * verticalPixelRatio < shiftMin)

/** Paints a picture; @returns the length of each line in device px. */
function paint(
  canvas: HTMLCanvasElement,
  scope: Scope,
  all: readonly IndicatorColumns[],
  state: RenderState,
  positions: Positions,
  part: Part,
): number[] {
  // To set its size empties a canvas.
  canvas.width = scope.bitmapSize.width
  canvas.height = scope.bitmapSize.height
  const context = canvas.getContext('2d')
  if (context === null) return []
  const own = { ...scope, context }
  for (const { indicator } of all) {
    for (const guide of indicatorRules[indicator.kind].guides ?? []) {
      const stroke = { color: state.theme.line, width: 1, dash: [2, 4] satisfies [number, number] }
      drawHorizontalLine(own, 0, scope.mediaSize.width, positions.y(guide), stroke)
    }
  }
  return drawPart(own, all, state, positions, part)
}

function drawPart(
  scope: Scope,
  all: readonly IndicatorColumns[],
  state: RenderState,
  positions: Positions,
  part: Part,
  lengths: readonly number[] = [],
): number[] {
  const drawn: number[] = []
  for (const columns of all) {
    const { kind, params } = columns.indicator
    const { lines, bars } = indicatorRules[kind]
    let colors = 0
    for (const line of lines(params).keys()) {
      if (line === bars) drawBars(scope, columns, line, positions, part, state)
      else {
        const style = lineStyle(state, kind, colors++)
        drawn.push(drawLine(scope, columns, line, positions, part, style, lengths[drawn.length] ?? 0))
      }
    }
  }
  return drawn
}

const lineStyle = ({ theme }: RenderState, kind: IndicatorKind, drawn: number): LineStyle => ({
  color: theme.series[drawn % theme.series.length] ?? theme.text2,
  dash: dashes[kind] ?? [],
})

/** @param before its length up to here; @returns its length from its last gap on; both in device px */
function drawLine(
  { context, horizontalPixelRatio: rx, verticalPixelRatio: ry }: Scope,
  columns: IndicatorColumns,
  line: number,
  { x, y }: Positions,
  { from, lineTo }: Part,
  { color, dash }: LineStyle,
  before: number,
): number {
  context.save()
  context.beginPath()
  let length = before
  let [lastX, lastY] = [NaN, NaN]
  for (let bar = from - 1; bar <= lineTo; bar++) {
    const [barX, barY] = [x(bar) * rx, y(columns.value(line, bar)) * ry]
    const step = Math.hypot(barX - lastX, barY - lastY)
    if (!Number.isNaN(step)) {
      context.lineTo(barX, barY)
      length += step
    } else if (!Number.isNaN(barY)) {
      context.moveTo(barX, barY)
      if (bar >= from) length = 0
    }
    ;[lastX, lastY] = [barX, barY]
  }
  context.setLineDash(dash.map((each) => each * rx))
  context.lineDashOffset = before
  context.lineWidth = lineWidth * rx
  context.lineJoin = 'round'
  context.strokeStyle = color
  context.stroke()
  context.restore()
  return length
}

/** Bars from zero: volumes in one colour, differences in those of up and down. */
function drawBars(
  { context, horizontalPixelRatio: rx, verticalPixelRatio: ry }: Scope,
  columns: IndicatorColumns,
  line: number,
  { x, y, pitch }: Positions,
  { from, to }: Part,
  { theme }: RenderState,
): void {
  const isVolume = columns.indicator.kind === 'VOL'
  const zero = Math.round(y(0) * ry)
  const width = bodyWidth(pitch)
  for (let bar = from; bar <= to; bar++) {
    const value = columns.value(line, bar)
    if (Number.isNaN(value) || (isVolume && value === 0)) continue
    const { start, size } = snapToPixels(x(bar), width, rx)
    const end = Math.round(y(value) * ry)
    context.fillStyle = isVolume ? theme.faint : value >= 0 ? theme.up : theme.down
    context.fillRect(start, Math.min(zero, end), size, Math.max(1, Math.abs(end - zero)))
  }
}
