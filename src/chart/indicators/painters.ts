import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import type { Scope, Target } from '../canvas.ts'
import { drawHorizontalLine, snapToPixels } from '../canvas.ts'
import { bodyWidth } from '../geometry.ts'
import type { Scales } from '../primitives/painter.ts'
import { layer, primitive } from '../primitives/painter.ts'
import type { RenderState } from '../renderState.ts'
import { fontOf } from '../renderState.ts'
import type { IndicatorColumns } from './columns.ts'
import type { Range } from './extent.ts'
import { extentOfColumns } from './extent.ts'
import { indicatorRules } from './kinds.ts'
import type { IndicatorKind } from './kinds.ts'

/** Dashes in CSS px, because the lines of several indicators share colours and a pane. */
const dashes: Partial<Record<IndicatorKind, readonly number[]>> = { EMA: [5, 3], BOLL: [2, 3] }
const lineWidth = 1.25
/** Padding between the axis labels and the right edge. */
const axisPadding = 8
/** Half a label's height: closer to an edge it would be cut off. */
const labelHalfHeight = 8

/** The lines of an indicator over the bars, whose price scale includes them. */
export const overlayPrimitive = (
  columns: IndicatorColumns,
  state: RenderState,
  scales: Scales,
): ISeriesPrimitive<Time> =>
  primitive<Time>([plotLayer(columns, state, scales)], {
    autoscaleInfo: () => {
      const range = scales.visible()
      const extent = range && extentOfColumns(columns, range)
      return extent === undefined ? null : { priceRange: extent }
    },
  })

/** An indicator in a pane of its own, with the labels of its axis. `levels` are those that the library chose. */
export function panePrimitive(
  columns: IndicatorColumns,
  state: RenderState,
  scales: Scales,
  levels: () => readonly number[],
): ISeriesPrimitive<Time> {
  const axis = [layer('top', (target) => drawLevels(target, columns, state, scales, levels()))]
  return primitive<Time>([plotLayer(columns, state, scales)], { priceAxisPaneViews: () => axis })
}

const plotLayer = (columns: IndicatorColumns, state: RenderState, scales: Scales) =>
  layer('normal', (target) => target.useBitmapCoordinateSpace((scope) => draw(scope, columns, state, scales)))

function draw(scope: Scope, columns: IndicatorColumns, state: RenderState, scales: Scales): void {
  const visible = scales.visible()
  const positions = visible && positionsOf(columns, scales, visible)
  if (positions === undefined) return
  const { kind, params } = columns.indicator
  const { lines, bars, guides = [] } = indicatorRules[kind]
  for (const guide of guides) {
    const stroke = { color: state.theme.line, width: 1, dash: [2, 4] satisfies [number, number] }
    drawHorizontalLine(scope, 0, scope.mediaSize.width, positions.y(guide), stroke)
  }
  let drawn = 0
  for (const line of lines(params).keys()) {
    if (line === bars) drawBars(scope, columns, line, positions, state)
    else drawLine(scope, columns, line, positions, lineStyle(state, kind, drawn++))
  }
}

/** The positions of what is visible; the scales are linear, so two of each are enough for all. */
type Positions = Range & { x: (bar: number) => number; y: (value: number) => number; pitch: number }

function positionsOf(columns: IndicatorColumns, scales: Scales, { from, to }: Range): Positions | undefined {
  const extent = extentOfColumns(columns, { from, to })
  const left = scales.xOf(from)
  if (extent === undefined || left === undefined) return undefined
  const base = extent.minValue
  const step = Math.max(extent.maxValue - base, Math.abs(base) * 1e-6, 1e-9)
  const [bottom, top] = [scales.yOf(base), scales.yOf(base + step)]
  if (bottom === undefined || top === undefined) return undefined
  const pitch = scales.pitch()
  return {
    from,
    to,
    pitch,
    x: (bar) => left + (bar - from) * pitch,
    y: (value) => bottom + ((value - base) / step) * (top - bottom),
  }
}

type LineStyle = { color: string; dash: readonly number[] }

const lineStyle = ({ theme }: RenderState, kind: IndicatorKind, drawn: number): LineStyle => ({
  color: theme.series[drawn % theme.series.length] ?? theme.text2,
  dash: dashes[kind] ?? [],
})

function drawLine(
  { context, horizontalPixelRatio: rx, verticalPixelRatio: ry }: Scope,
  columns: IndicatorColumns,
  line: number,
  { from, to, x, y }: Positions,
  { color, dash }: LineStyle,
): void {
  context.save()
  context.beginPath()
  let isOpen = false
  // One more at each side, so that the line reaches the edges.
  for (let bar = from - 1; bar <= to + 1; bar++) {
    const value = columns.value(line, bar)
    if (Number.isNaN(value)) isOpen = false
    else if (isOpen) context.lineTo(x(bar) * rx, y(value) * ry)
    else {
      context.moveTo(x(bar) * rx, y(value) * ry)
      isOpen = true
    }
  }
  context.setLineDash(dash.map((length) => length * rx))
  context.lineWidth = lineWidth * rx
  context.lineJoin = 'round'
  context.strokeStyle = color
  context.stroke()
  context.restore()
}

/** Bars from zero: volumes in one colour, differences in those of up and down. */
function drawBars(
  { context, horizontalPixelRatio: rx, verticalPixelRatio: ry }: Scope,
  columns: IndicatorColumns,
  line: number,
  { from, to, x, y, pitch }: Positions,
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

function drawLevels(
  target: Target,
  columns: IndicatorColumns,
  state: RenderState,
  scales: Scales,
  levels: readonly number[],
): void {
  const { figures } = indicatorRules[columns.indicator.kind]
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    context.font = fontOf(state)
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    context.fillStyle = state.theme.text3
    for (const level of levels) {
      const y = scales.yOf(level)
      if (y === undefined || y < labelHalfHeight || y > mediaSize.height - labelHalfHeight) continue
      context.fillText(state.format.figure(level, figures), mediaSize.width - axisPadding, y + 0.5)
    }
  })
}
