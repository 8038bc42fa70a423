import type { CSSProperties } from 'react'
import type { BusinessDay } from '../../../contract/time.ts'
import { moneyOf } from '../../../contract/money.ts'
import { useTranslation } from 'react-i18next'
import { useDayFormat } from '../../hooks/useDays.ts'
import type { Format } from '../../text/format.ts'
import { minusSign } from '../../text/formatNumber.ts'
import { cx, Skeleton, VisuallyHidden } from '../../ui/index.ts'
import { weeksOf } from './monthWeeks.ts'
import styles from './MonthTable.module.css'

export type MonthTableProps = {
  month: string
  today: BusinessDay
  /** The figures of the days that have one, short enough for a cell of 40 px. */
  figures: ReadonlyMap<BusinessDay, string>
  loading: boolean
  picked: BusinessDay | undefined
  onPick: (day: BusinessDay) => void
}

/** A month as a table of days. Days with a figure show it and can be selected. */
export function MonthTable({ month, today, figures, loading, picked, onPick }: MonthTableProps) {
  const weekdays = useDayFormat().weekdays()
  return (
    <table className={styles.month}>
      <thead>
        <tr>
          {weekdays.map(({ letter, name }) => (
            <th key={name} scope="col" abbr={name}>
              {letter}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week.find((day) => day !== null)}>
            {week.map((day, index) => (
              <td key={weekdays[index]?.name}>
                {day !== null && (
                  <Day
                    day={day}
                    figure={figures.get(day)}
                    loading={loading && day < today}
                    today={day === today}
                    picked={day === picked}
                    onPick={onPick}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type DayProps = {
  day: BusinessDay
  figure: string | undefined
  loading: boolean
  today: boolean
  picked: boolean
  onPick: (day: BusinessDay) => void
}

function Day({ day, figure, loading, today, picked, onPick }: DayProps) {
  const { t } = useTranslation()
  const number = String(Number(day.slice(8)))
  const content = (
    <>
      <span className={cx(today && styles.today)}>{number}</span>
      {today && <VisuallyHidden>{t('fund.today')}</VisuallyHidden>}
      <span className={styles.amount} style={{ '--letters': figure?.length } as CSSProperties}>
        {loading ? <Skeleton width={22} height={8} /> : figure}
      </span>
    </>
  )
  const current = today ? 'date' : undefined
  if (figure === undefined) {
    return (
      <span className={cx(styles.day, styles.none)} aria-current={current}>
        {content}
      </span>
    )
  }
  return (
    <button
      type="button"
      className={cx(styles.day, picked && styles.picked)}
      aria-pressed={picked}
      aria-current={current}
      onClick={() => onPick(day)}
    >
      {content}
    </button>
  )
}

/** Shortens an amount to fit a cell of 40 px; the line below the month shows it in full. Losses have a minus. */
export function shortAmount(format: Format, amount: string): string {
  const minor = moneyOf(amount)
  if (Math.abs(minor) < 10_000) return format.money(amount)
  const short = format.compact(String(Math.floor(Math.abs(minor) / 100)))
  return minor < 0 ? `${minusSign}${short}` : short
}
