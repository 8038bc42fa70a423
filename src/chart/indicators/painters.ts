import type { ISeriesPrimitive, Time } from 'lightweight-charts'
import type { Target } from '../canvas.ts'
import { layer, primitive, type Scales } from '../primitives/painter.ts'
import { fontOf, type RenderState } from '../renderState.ts'
import type { IndicatorColumns } from './columns.ts'
import { extentOfColumns } from './extent.ts'
import { indicatorRules } from './kinds.ts'
import { createPlot } from './plot.ts'

/** Padding between the axis labels and the right edge. */
const axisPadding = 8
/** Half a label's height: closer to an edge it would be cut off. */
const labelHalfHeight = 8

/** Indicators over the bars, whose price scale includes them. */
export const overlayPrimitive = (
  all: readonly IndicatorColumns[],
  state: RenderState,
  scales: Scales,
): ISeriesPrimitive<Time> =>
  primitive<Time>([plotLayer(all, state, scales)], {
    autoscaleInfo: () => {
      const range = scales.visible()
      const extent = range && extentOfColumns(all, range)
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
  return primitive<Time>([plotLayer([columns], state, scales)], { priceAxisPaneViews: () => axis })
}

function plotLayer(all: readonly IndicatorColumns[], state: RenderState, scales: Scales) {
  const plot = createPlot(all, state, scales)
  return layer('normal', (target) => target.useBitmapCoordinateSpace(plot))
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
