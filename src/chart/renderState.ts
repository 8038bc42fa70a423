import type { Candle } from '../../contract/candles.ts'
import type { ChartFormat, ChartMark, ChartMode, ChartTheme, LabelledPrice } from './types.ts'

/** The state that all painters of a chart read; only the chart writes it. */
export type RenderState = {
  theme: ChartTheme
  format: ChartFormat
  mode: ChartMode
  stale: boolean
  tfMs: number
  /** Width of the price axis, px: as its widest label needs. */
  axisWidth: number
  marks: readonly ChartMark[]
  /** The volume has a pane of its own, so that it is not drawn below the bars. */
  hasVolumePane: boolean
  /** Prices with a label on the axis. */
  labelled: readonly LabelledPrice[]
  /** Lines of the legend over the bars: one for each indicator that is drawn over them. */
  legendLines: number
  /** Where the crosshair's label is on the axis of the bars, from the top; undefined while it is not shown there. */
  crosshairY: number | undefined
  bars(): readonly Candle[]
  /** Prices of the grid lines, chosen by the library. */
  levels: readonly number[]
}

export const upColor = ({ theme, stale }: RenderState): string => (stale ? theme.line : theme.up)
export const downColor = ({ theme, stale }: RenderState): string => (stale ? theme.line : theme.down)
export const priceColor = ({ theme, stale }: RenderState): string => (stale ? theme.text3 : theme.text)
export const fontOf = (state: RenderState, weight = 400): string => `${weight} 12px ${state.theme.font}`
