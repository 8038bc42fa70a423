import { LineStyle, type IPriceLine, type ISeriesPrimitive, type Time } from 'lightweight-charts'
import type { Candle } from '../../../contract/candles.ts'
import type { ChartSeries } from '../chartSeries.ts'
import { barsStretch, paneStretch } from '../geometry.ts'
import type { ChartLine, IndicatorReading } from '../types.ts'
import type { BarsListener } from '../seriesData.ts'
import { createIndicatorColumns, type IndicatorColumns } from './columns.ts'
import { indicatorRules, isOverlay, type Indicator } from './kinds.ts'
import { overlayPrimitive } from './painters.ts'
import { openPane } from './pane.ts'

/** Indicators and horizontal lines on a chart. */
export type Layer = BarsListener & {
  setIndicators: (indicators: readonly Indicator[]) => void
  setLines: (lines: readonly ChartLine[]) => void
  /** Colours changed. */
  setTheme: () => void
  /** The values of every indicator at a bar. */
  read: (bar: number) => IndicatorReading[]
  destroy: () => void
}
/** @param timeOf a bar's instant on the time axis */
export type LayerFactory = (series: ChartSeries, timeOf: (candle: Candle) => Time) => Layer

/** Puts indicators and horizontal lines on a chart: they follow its bars one step at a time. */
export const createLayer: LayerFactory = (series, timeOf) => {
  const indicators = createIndicators(series, timeOf)
  const lines = createLines(series)
  return {
    ...indicators,
    setLines: lines.set,
    setTheme: lines.paint,
    destroy: () => {
      indicators.setIndicators([])
      lines.set([])
    },
  }
}

function createIndicators(series: ChartSeries, timeOf: (candle: Candle) => Time) {
  const { chart, tail, bars, state, scales } = series
  let columns: IndicatorColumns[] = []
  let overlay: ISeriesPrimitive<Time> | undefined
  let panes: ReturnType<typeof openPane>[] = []
  let hasVolume = false

  const take = (indicator: Indicator): IndicatorColumns => {
    const known = columns.find((each) => isSame(each.indicator, indicator))
    if (known !== undefined) return known
    const created = createIndicatorColumns(indicator)
    created.reset(bars.all())
    return created
  }
  const clear = () => {
    if (overlay !== undefined) tail.detachPrimitive(overlay)
    for (const pane of panes) pane.close()
  }
  const resetPanes = () => {
    for (const pane of panes) pane.reset(bars.all().at(-1))
  }
  const findVolume = () => {
    hasVolume = bars.all().some(({ volume }) => volume > 0)
  }
  return {
    setIndicators: (indicators: readonly Indicator[]) => {
      clear()
      columns = indicators.map(take)
      const over = columns.filter(({ indicator }) => isOverlay(indicator.kind))
      overlay = over.length === 0 ? undefined : overlayPrimitive(over, state, scales)
      if (overlay !== undefined) tail.attachPrimitive(overlay)
      panes = columns
        .filter(({ indicator }) => !isOverlay(indicator.kind))
        .map((each, i) => openPane(each, series, timeOf, i + 1))
      for (const [i, pane] of chart.panes().entries())
        pane.setStretchFactor(i === 0 ? barsStretch : paneStretch)
      state.hasVolumePane = indicators.some(({ kind }) => kind === 'VOL')
      findVolume()
      resetPanes()
    },
    read: (bar: number): IndicatorReading[] =>
      columns.map(({ indicator, value }) => ({
        indicator,
        values: indicatorRules[indicator.kind].lines(indicator.params).map((_, line) => value(line, bar)),
        withoutVolume: indicator.kind === 'VOL' && !hasVolume,
      })),
    onReset: () => {
      for (const each of columns) each.reset(bars.all())
      findVolume()
      resetPanes()
    },
    onApply: (candle: Candle, applied: 'changed' | 'added' | 'trimmed') => {
      hasVolume ||= candle.volume > 0
      for (const each of columns) each.apply(candle, applied !== 'changed')
      if (applied === 'trimmed') resetPanes()
      else if (applied === 'added') for (const pane of panes) pane.add(candle)
    },
  }
}

const isSame = (a: Indicator, b: Indicator): boolean =>
  a.kind === b.kind && String(a.params) === String(b.params)

/** The library's own price lines; their labels and names are drawn with the tag of the newest price, which they must not touch. */
function createLines({ tail, state }: ChartSeries) {
  let drawn: IPriceLine[] = []
  let kinds: ChartLine['kind'][] = []
  const colorOf = (kind: ChartLine['kind'] | undefined) =>
    kind === 'alert' ? state.theme.text3 : state.theme.accent
  return {
    set: (lines: readonly ChartLine[]) => {
      for (const line of drawn) tail.removePriceLine(line)
      kinds = lines.map(({ kind }) => kind)
      drawn = lines.map(({ price, kind }) =>
        tail.createPriceLine({
          price,
          lineWidth: 1,
          lineStyle: LineStyle.Dashed,
          axisLabelVisible: false,
          color: colorOf(kind),
        }),
      )
    },
    paint: () => {
      for (const [i, line] of drawn.entries()) line.applyOptions({ color: colorOf(kinds[i]) })
    },
  }
}
