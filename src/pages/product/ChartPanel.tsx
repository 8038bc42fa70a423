import { useMemo, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { timeframeNames, timeframes } from '../../../contract/candles.ts'
import type { Timeframe } from '../../../contract/candles.ts'
import { CandleTable } from '../../chart/CandleTable.tsx'
import { Chart } from '../../chart/Chart.tsx'
import type { ChartProps } from '../../chart/Chart.tsx'
import { chartFormat } from '../../chart/format.ts'
import { Legend } from '../../chart/Legend.tsx'
import type { ChartFormat, ChartMode } from '../../chart/port.ts'
import { createReadout } from '../../chart/readout.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { preferences, usePreferences } from '../../state/preferences.ts'
import type { CandleFeed, Order, ProductDetail } from '../../../streams/index.ts'
import { ErrorState, IconButton, Timeframes } from '../../ui/index.ts'
import styles from './ChartPanel.module.css'
import { chartLibrary } from './chartLibrary.ts'
import { ChartPlaceholder } from '../../features/market/ChartPlaceholder.tsx'
import { hasPrice } from '../../features/market/productDisplay.ts'
import { useTicker } from '../../features/market/useTicker.ts'
import { useChartMarks } from './useChartMarks.ts'
import { useChartLibrary } from './useChartLibrary.ts'

export type ChartPanelProps = {
  product: ProductDetail
  /** The member's open orders on the product, which the chart marks. */
  orders: readonly Order[]
  stale: boolean
}

const timeframeItems = timeframeNames.map((value) => ({ value, label: value }))

/** Timeframes, the chart or its table, and the values of the bar under the crosshair. */
export function ChartPanel({ product, orders, stale }: ChartPanelProps) {
  const { t } = useTranslation()
  const streams = useStreams()
  const format = useFormat()
  const language = useLanguage()
  const zone = useVenueZone()
  const ticker = useTicker(product)
  const { timeframe, style } = usePreferences().chart
  const [asTable, setAsTable] = useState(false)
  const [readout] = useState(createReadout)
  const feed = useMemo(() => streams.candles(product.id, timeframe), [streams, product.id, timeframe])
  const formatter = useMemo(
    () => chartFormat(format, language, zone, product.priceDecimals),
    [format, language, zone, product.priceDecimals],
  )
  const letterLabels = {
    open: t('chart.letter.open'),
    high: t('chart.letter.high'),
    low: t('chart.letter.low'),
    close: t('chart.letter.close'),
  }
  return (
    <section className={styles.panel} aria-label={t('chart.label', { code: product.code })}>
      <div className={styles.frames}>
        <Timeframes
          label={t('chart.timeframes')}
          items={timeframeItems}
          value={timeframe}
          onChange={(next) => {
            preferences.chart.timeframe = next
          }}
          end={
            <>
              {!asTable && (
                <div className={styles.wideLegend}>
                  <Legend readout={readout} format={formatter} letters={letterLabels} />
                </div>
              )}
              <Toggles style={style} asTable={asTable} onTable={setAsTable} />
            </>
          }
        />
      </div>
      <div className={styles.plot}>
        {asTable ? (
          <Table code={product.code} feed={feed} timeframe={timeframe} format={formatter} />
        ) : (
          <LoadedChart
            feed={feed}
            timeframe={timeframe}
            priceDecimals={product.priceDecimals}
            zone={zone}
            mode={style}
            orders={orders}
            stale={stale}
            awaitsPrice={!hasPrice(ticker)}
            format={formatter}
            readout={readout}
            label={t('chart.label', { code: product.code })}
          />
        )}
        {!asTable && (
          <div className={styles.legend}>
            <Legend readout={readout} format={formatter} letters={letterLabels} onlyHovered />
          </div>
        )}
      </div>
    </section>
  )
}

type TogglesProps = { style: ChartMode; asTable: boolean; onTable: (asTable: boolean) => void }

/** Candles or area, and chart or table. */
function Toggles({ style, asTable, onTable }: TogglesProps) {
  const { t } = useTranslation()
  const isArea = style === 'area'
  return (
    <>
      <IconButton
        icon={isArea ? 'chart-bar' : 'chart-line'}
        label={isArea ? t('chart.candles') : t('chart.area')}
        disabled={asTable}
        onClick={() => {
          preferences.chart.style = isArea ? 'candles' : 'area'
        }}
      />
      <IconButton icon="table" label={t('chart.table')} pressed={asTable} onClick={() => onTable(!asTable)} />
    </>
  )
}

type TableProps = { code: string; feed: CandleFeed; timeframe: Timeframe; format: ChartFormat }

function Table({ code, feed, timeframe, format }: TableProps) {
  const { t } = useTranslation()
  const { compact } = useFormat()
  const isUnderAnHour = timeframes[timeframe] < timeframes['1h']
  return (
    <CandleTable
      feed={feed}
      format={format}
      timeOf={(at) => (isUnderAnHour ? format.axisTime(at, 'time') : format.fullTime(at))}
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

type LoadedChartProps = Omit<ChartProps, 'factory' | 'marks'> & {
  orders: readonly Order[]
  /** The product has no price yet, so that there is nothing to load. */
  awaitsPrice: boolean
}

function LoadedChart({ awaitsPrice, orders, ...props }: LoadedChartProps) {
  const { t } = useTranslation()
  const [library, retry] = useChartLibrary(chartLibrary)
  // Here and not further out, because a mean renders its subscriber a few times a second.
  const marks = useChartMarks(orders)
  const isEmpty = useSyncExternalStore(props.readout.watch, () => props.readout.get().newest === undefined)
  if (library.state === 'ready') {
    return (
      <>
        <Chart {...props} marks={marks} factory={library.factory} />
        {isEmpty && <ChartPlaceholder awaitsPrice={awaitsPrice} />}
      </>
    )
  }
  if (library.state === 'failed') {
    return (
      <ErrorState title={t('chart.failed')} retryLabel={t('common.retry')} onRetry={() => void retry()} />
    )
  }
  return <ChartPlaceholder />
}
