import {
  memo,
  useDeferredValue,
  useMemo,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react'
import { useTranslation } from 'react-i18next'
import { timeframes, type Timeframe } from '../../../contract/candles.ts'
import { hourMs, minuteMs, secondMs } from '../../../contract/time.ts'
import { CandleTable } from '../../chart/CandleTable.tsx'
import { Chart, type ChartProps } from '../../chart/Chart.tsx'
import { chartFormat } from '../../chart/format.ts'
import { OverlayLegend, PaneLegends } from '../../chart/IndicatorLegend.tsx'
import type { Indicator, IndicatorKind } from '../../chart/indicators/kinds.ts'
import { Legend, type LegendProps } from '../../chart/Legend.tsx'
import type { AxisTime, ChartFormat } from '../../chart/types.ts'
import { createReadout } from '../../chart/readout.ts'
import { SpokenBar } from '../../chart/SpokenBar.tsx'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { usePreferences } from '../../state/preferences.ts'
import type { CandleFeed, EndedOrder, Order, ProductDetail } from '../../../streams/index.ts'
import { ErrorState } from '../../ui/index.ts'
import styles from './ChartPanel.module.css'
import { fittingTimeframe, styleNameOf } from './chartTimeframe.ts'
import { chartLibrary } from './chartLibrary.ts'
import { ChartRow } from './ChartRow.tsx'
import { DayLine } from './DayLine.tsx'
import { canFillScreen } from './fullScreen/useFullScreen.ts'
import { HistoryMark } from './HistoryMark.tsx'
import { FullScreenHead } from './fullScreen/FullScreenHead.tsx'
import { FullScreenTicket } from './fullScreen/FullScreenTicket.tsx'
import type { TicketProps } from './Ticket.tsx'
import { useDuration } from './useTicketFacts.ts'
import { ChartPlaceholder } from '../../features/market/ChartPlaceholder.tsx'
import { hasPrice } from '../../features/market/productDisplay.ts'
import { useTicker } from '../../features/market/useTicker.ts'
import { useChartExtras } from './useChartExtras.ts'
import { useChartMenu } from './useChartMenu.tsx'
import { useChartMarks } from './useChartMarks.ts'
import { useJustSettled } from './justSettled.ts'
import { useChartLibrary } from './useChartLibrary.ts'

export type ChartPanelProps = {
  product: ProductDetail
  /** The member's open orders on the product, which the chart marks. */
  orders: readonly Order[]
  stale: boolean
  panel: RefObject<HTMLElement | null>
  /** It fills the screen, and has what one trades with. */
  full: boolean
  onFull: (full: boolean) => void
  /** How the newest orders ended. */
  newest: readonly EndedOrder[]
  onReview: TicketProps['onReview']
}

/**
 * Timeframes, the chart or its table, and the values of the bar under the crosshair; it can fill the screen. The page around
 * it renders every second.
 */
export const ChartPanel = memo(function ChartPanel(props: ChartPanelProps) {
  const { product, orders, stale, panel, full, onFull } = props
  const { t } = useTranslation()
  const { settled, fitting, timeframe, mode } = useChosen(product, orders)
  const [asTable, setAsTable] = useState(false)
  const [readout] = useState(createReadout)
  const feed = useFeed(product.id, timeframe)
  const formatter = useChartFormat(product, timeframe)
  const { indicators, panes, extras } = useChartExtras(product, readout)
  const { dialogs, openSheet, openMenu } = useChartMenu(product, panel, full)
  const legend = { readout, format: formatter, letters: useLetters() }
  const mark = <HistoryMark product={product} timeframe={timeframe} />
  return (
    <section
      ref={panel}
      className={styles.panel}
      data-full={full || undefined}
      aria-label={t('chart.label', { code: product.code })}
    >
      {full && <FullScreenHead product={product} orders={orders} newest={props.newest} />}
      <div className={styles.timeframes}>
        <ChartRow
          fitting={fitting}
          onIndicators={openSheet}
          asTable={asTable}
          onTable={setAsTable}
          full={full}
          onFull={canFillScreen ? onFull : undefined}
          legend={
            <div className={styles.wideLegend}>
              <Legend {...legend} />
            </div>
          }
        />
      </div>
      <div
        className={styles.plot}
        data-panes={panes || undefined}
        style={{ '--panes': panes } as CSSProperties}
      >
        {asTable ? (
          <Table code={product.code} feed={feed} timeframe={timeframe} format={formatter} />
        ) : (
          <LoadedChart
            product={product}
            feed={feed}
            timeframe={timeframe}
            mode={mode}
            orders={orders}
            settled={settled}
            extras={extras}
            onMenu={openMenu}
            stale={stale}
            format={formatter}
            readout={readout}
          />
        )}
        {!asTable && (
          <PlotLegends {...legend} indicators={indicators}>
            {mark}
          </PlotLegends>
        )}
      </div>
      {full && <FullScreenTicket product={product} panel={panel} onReview={props.onReview} />}
      {dialogs}
    </section>
  )
})

function useFeed(productId: string, timeframe: Timeframe): CandleFeed {
  const streams = useStreams()
  return useMemo(() => streams.candles(productId, timeframe), [streams, productId, timeframe])
}

/**
 * The orders that have just settled, and what the member has chosen for the chart. The tap's own frame marks what was tapped,
 * and does not wait for the chart.
 */
function useChosen(product: ProductDetail, orders: readonly Order[]) {
  const { chart } = usePreferences()
  const settled = useJustSettled(product.id)
  const fitting = fittingTimeframe([...orders, ...settled], useDuration(product)?.seconds)
  const chosen = chart.frame ?? fitting
  const timeframe = useDeferredValue(chosen)
  const mode = useDeferredValue(chart[styleNameOf(chosen)])
  return { settled, fitting, timeframe, mode: timeframes[timeframe] < secondMs ? 'area' : mode }
}

function useChartFormat({ priceDecimals }: ProductDetail, timeframe: Timeframe): ChartFormat {
  const format = useFormat()
  const language = useLanguage()
  const zone = useVenueZone()
  return useMemo(
    () => chartFormat(format, language, zone, priceDecimals, timeframes[timeframe]),
    [format, language, zone, priceDecimals, timeframe],
  )
}

type PlotLegendsProps = LegendProps & { indicators: readonly Indicator[]; children: ReactNode }

/** What the crosshair reads, over the plot: on wide screens the bar's prices are in the row above instead. */
function PlotLegends({ indicators, children, ...legend }: PlotLegendsProps) {
  const { t } = useTranslation()
  const { readout, format } = legend
  const words = {
    open: t('chart.open'),
    high: t('chart.high'),
    low: t('chart.low'),
    close: t('chart.close'),
  }
  const nameOf = (kind: IndicatorKind) => t(`indicators.name.${kind}`)
  const shown = { indicators, nameOf, readout, format }
  return (
    <>
      <div className={styles.legend}>
        <div className={styles.barLegend}>
          <Legend {...legend} onlyHovered />
        </div>
        <OverlayLegend {...shown} />
        {children}
      </div>
      <PaneLegends {...shown} noVolume={t('indicators.noVolume')} />
      <SpokenBar readout={readout} format={format} words={words} />
    </>
  )
}

/** Initials of a bar's prices. */
function useLetters(): LegendProps['letters'] {
  const { t } = useTranslation()
  return {
    open: t('chart.letter.open'),
    high: t('chart.letter.high'),
    low: t('chart.letter.low'),
    close: t('chart.letter.close'),
  }
}

type TableProps = { code: string; feed: CandleFeed; timeframe: Timeframe; format: ChartFormat }

function Table({ code, feed, timeframe, format }: TableProps) {
  const { t } = useTranslation()
  const { compact } = useFormat()
  const clock = tableClock(timeframes[timeframe])
  return (
    <CandleTable
      feed={feed}
      format={format}
      timeOf={(at) => (clock === undefined ? format.fullTime(at) : format.axisTime(at, clock))}
      volume={(value) => compact(String(value))}
      heads={{
        time: t('chart.time'),
        open: t('chart.open'),
        high: t('chart.high'),
        low: t('chart.low'),
        close: t('chart.close'),
        volume: t('chart.volume'),
      }}
      caption={t('chart.tableOf', { code })}
    />
  )
}

/** The part of a time that a row shows; undefined if bars are so long that the day matters, or shorter than a second. */
const tableClock = (tfMs: number): AxisTime | undefined =>
  tfMs < secondMs || tfMs >= hourMs ? undefined : tfMs < minuteMs ? 'second' : 'time'

type OfProduct = 'factory' | 'marks' | 'price' | 'priceDecimals' | 'zone' | 'label' | 'toNow'
type LoadedChartProps = Omit<ChartProps, OfProduct> & {
  product: ProductDetail
  orders: readonly Order[]
  /** Those that ended a moment ago. */
  settled: readonly Order[]
}

function LoadedChart({ product, orders, settled, ...props }: LoadedChartProps) {
  const { t } = useTranslation()
  const zone = useVenueZone()
  // Without a price there is nothing to load.
  const awaitsPrice = !hasPrice(useTicker(product))
  const [library, retry] = useChartLibrary(chartLibrary)
  // Here and not further out, because a mean renders its subscriber a few times a second.
  const marks = useChartMarks(orders, settled)
  const isEmpty = useSyncExternalStore(props.readout.watch, () => props.readout.get().newest === undefined)
  const isLoaded = useSyncExternalStore(props.readout.watch, () => props.readout.get().loaded)
  if (library.state === 'ready') {
    return (
      <>
        <Chart
          {...props}
          priceDecimals={product.priceDecimals}
          price={Number.parseFloat(product.last)}
          zone={zone}
          marks={marks}
          label={t('chart.label', { code: product.code })}
          toNow={t('chart.toNow')}
          factory={library.factory}
        />
        {isEmpty && <DayLine product={product} />}
        {isEmpty && <ChartPlaceholder awaitsPrice={awaitsPrice} isLoaded={isLoaded} />}
      </>
    )
  }
  if (library.state === 'failed') {
    return (
      <ErrorState title={t('chart.failed')} retryLabel={t('common.retry')} onRetry={() => void retry()} />
    )
  }
  return (
    <>
      <DayLine product={product} />
      <ChartPlaceholder />
    </>
  )
}
