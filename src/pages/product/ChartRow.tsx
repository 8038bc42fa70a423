import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { timeframeNames, timeframes, type Timeframe } from '../../../contract/candles.ts'
import { secondMs } from '../../../contract/time.ts'
import { preferences, usePreferences } from '../../state/preferences.ts'
import { IconButton, Timeframes } from '../../ui/index.ts'
import { styleNameOf } from './chartTimeframe.ts'

export type ChartRowProps = {
  /** The timeframe that fits the duration on the ticket: the one shown unless the member chose another. */
  fitting: Timeframe
  /** Opens the sheet of indicators and lines. */
  onIndicators: () => void
  asTable: boolean
  onTable: (asTable: boolean) => void
  full: boolean
  /** Absent if the browser cannot show the chart on the full screen. */
  onFull: ((full: boolean) => void) | undefined
  legend: ReactNode
}

/** How the name of a timeframe ends. */
type TimeframeUnit = 's' | 'm' | 'h' | 'd'

/** The row above the chart: its timeframe, candles or area, indicators, chart or table, full screen. */
export function ChartRow({ fitting, onIndicators, asTable, onTable, full, onFull, legend }: ChartRowProps) {
  const { t } = useTranslation()
  const { chart } = usePreferences()
  const { frame } = chart
  const shown = frame ?? fitting
  const labelOf = (name: Timeframe) =>
    timeframes[name] < secondMs
      ? t('chart.tick')
      : t(`chart.frame.${name.slice(-1) as TimeframeUnit}`, { n: name.slice(0, -1) })
  const isLine = timeframes[shown] < secondMs
  const isArea = isLine || chart[styleNameOf(shown)] === 'area'
  const auto = frame === null ? `${t('chart.auto')} ${labelOf(fitting)}` : t('chart.auto')
  return (
    <Timeframes<Timeframe | 'auto'>
      label={t('chart.timeframes')}
      items={[
        { value: 'auto', label: auto },
        ...timeframeNames.map((value) => ({ value, label: labelOf(value) })),
      ]}
      value={frame ?? 'auto'}
      onChange={(next) => {
        preferences.chart.frame = next === 'auto' ? null : next
      }}
      end={
        <>
          {!asTable && legend}
          <IconButton
            icon={isArea ? 'chart-bar' : 'chart-line'}
            label={isArea ? t('chart.candles') : t('chart.area')}
            // Ticks are always a line.
            disabled={asTable || isLine}
            onClick={() => {
              preferences.chart[styleNameOf(shown)] = isArea ? 'candles' : 'area'
            }}
          />
          <IconButton
            icon="sliders-horizontal"
            label={t('indicators.title')}
            disabled={asTable}
            onClick={() => onIndicators()}
          />
          <IconButton
            icon="table"
            label={t('chart.table')}
            pressed={asTable}
            onClick={() => onTable(!asTable)}
          />
          {onFull !== undefined && (
            <IconButton
              icon={full ? 'corners-in' : 'corners-out'}
              label={t(full ? 'chart.leaveFull' : 'chart.full')}
              onClick={() => onFull(!full)}
            />
          )}
        </>
      }
    />
  )
}
