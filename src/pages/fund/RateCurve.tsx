import { useState, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { formatUnits } from '../../../contract/price.ts'
import type { Format } from '../../text/format.ts'
import { useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useWidth } from '../../hooks/useWidth.ts'
import { VisuallyHidden } from '../../ui/index.ts'
import { curveLevels, curvePath, curvePoints, nearestIndex } from './curve.ts'
import styles from './RateCurve.module.css'

export type DayRate = { on: string; rate7dBp: number }

/** Measures in px: three grid lines 42 apart, labels right and below. */
const plotHeight = 84
const top = 8
const axisWidth = 44
const footHeight = 24
const inset = 6

/**
 * The 7-day rate by day, oldest first, as a step line. Touch or pointer shows the value of a day. A table has the
 * same data for screen readers.
 */
export function RateCurve({ rates }: { rates: readonly DayRate[] }) {
  const format = useFormat()
  const days = useDayFormat()
  const summary = useSummary(rates)
  const [measure, width] = useWidth(326)
  const [picked, setPicked] = useState<number>()
  const values = rates.map(({ rate7dBp }) => rate7dBp)
  const levels = curveLevels(values)
  const plot = { width: Math.max(80, width - axisWidth), height: plotHeight, inset }
  const points = curvePoints(values, levels, plot)
  const shownIndex = Math.min(picked ?? points.length - 1, points.length - 1)
  const point = points[shownIndex]
  const day = rates[shownIndex]
  const pickDay = (event: PointerEvent<SVGSVGElement>): void => {
    setPicked(nearestIndex(points, event.clientX - event.currentTarget.getBoundingClientRect().left))
  }
  return (
    <div ref={measure} className={styles.curve}>
      <p className={styles.reading} aria-hidden="true">
        {picked !== undefined &&
          day !== undefined &&
          `${days.long(day.on)} · ${format.percent(day.rate7dBp)}`}
      </p>
      <svg
        className={styles.drawing}
        width={width}
        height={top + plotHeight + footHeight}
        role="img"
        aria-label={summary}
        onPointerMove={pickDay}
        onPointerDown={pickDay}
        onPointerLeave={() => setPicked(undefined)}
      >
        {levels.map((level, line) => (
          <Level
            key={level}
            y={top + plotHeight * (1 - line / 2)}
            width={plot.width}
            end={width}
            label={levelText(format, level, line === 2)}
          />
        ))}
        <g transform={`translate(0 ${top})`}>
          {picked !== undefined && point !== undefined && (
            <path className={styles.cross} d={`M${point.x} 0V${plotHeight}`} />
          )}
          <path className={styles.line} d={curvePath(points)} />
          {point !== undefined && <circle className={styles.dot} cx={point.x} cy={point.y} r="4" />}
        </g>
        {labelledDays(rates.length).map((index) => (
          <text
            key={index}
            className={styles.label}
            x={points[index]?.x}
            y={top + plotHeight + 18}
            textAnchor={index === 0 ? 'start' : index === rates.length - 1 ? 'end' : 'middle'}
          >
            {days.short(rates[index]?.on ?? '')}
          </text>
        ))}
      </svg>
      <VisuallyHidden>
        <Table rates={rates} />
      </VisuallyHidden>
    </div>
  )
}

/** Describes the curve in a sentence. */
function useSummary(rates: readonly DayRate[]): string {
  const { t } = useTranslation()
  const format = useFormat()
  const days = useDayFormat()
  const values = rates.map(({ rate7dBp }) => rate7dBp)
  const [first, last] = [rates[0], rates.at(-1)]
  return t('fund.curve', {
    from: first === undefined ? '' : days.long(first.on),
    to: last === undefined ? '' : days.long(last.on),
    low: format.percent(Math.min(...values)),
    high: format.percent(Math.max(...values)),
    last: format.percent(last?.rate7dBp ?? 0),
  })
}

function Level({ y, width, end, label }: { y: number; width: number; end: number; label: string }) {
  return (
    <>
      <path className={styles.grid} d={`M0 ${y}H${width}`} />
      <text className={styles.label} x={end} y={y + 4} textAnchor="end">
        {label}
      </text>
    </>
  )
}

function Table({ rates }: { rates: readonly DayRate[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const days = useDayFormat()
  return (
    <table>
      <caption>{t('fund.rate7d')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('fund.day')}</th>
          <th scope="col">{t('fund.rate')}</th>
        </tr>
      </thead>
      <tbody>
        {rates.map(({ on, rate7dBp }) => (
          <tr key={on}>
            <th scope="row">{days.long(on)}</th>
            <td>{format.percent(rate7dBp)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A grid line's label; only the highest one has the percent sign. */
const levelText = (format: Format, bp: number, highest: boolean): string =>
  highest ? format.percent(bp) : format.decimal(formatUnits(bp, 2))

/** The days with a label: first, middle and last. */
const labelledDays = (count: number): number[] =>
  count < 3 ? [...Array(count).keys()] : [0, Math.floor((count - 1) / 2), count - 1]
