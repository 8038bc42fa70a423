import type { fundRoutes } from '../../../contract/fund.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import { moneyOf } from '../../../contract/money.ts'
import { useTranslation } from 'react-i18next'
import { useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import type { Format } from '../../format.ts'
import { usePreferences } from '../../state/preferences.ts'
import { cx, Skeleton, VisuallyHidden } from '../../ui/index.ts'
import { weeksOf } from './calendar.ts'
import styles from './EarningsMonth.module.css'

/** What one day has earned. */
export type DayEarning = RouteAnswer<typeof fundRoutes.fundEarnings>['items'][number]

export type EarningsMonthProps = {
  month: string
  today: BusinessDay
  earnings: readonly DayEarning[]
  loading: boolean
  picked: BusinessDay | undefined
  onPick: (day: BusinessDay) => void
}

/** A month as a table of days. Days with earnings show the amount and can be selected. */
export function EarningsMonth({ month, today, earnings, loading, picked, onPick }: EarningsMonthProps) {
  const days = useDayFormat()
  const byDay = new Map(earnings.map((earning) => [earning.on, earning]))
  return (
    <table className={styles.month}>
      <thead>
        <tr>
          {days.weekdays.map(({ letter, name }) => (
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
              <td key={days.weekdays[index]?.name}>
                {day !== null && (
                  <Day
                    day={day}
                    earning={byDay.get(day)}
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
  earning: DayEarning | undefined
  loading: boolean
  today: boolean
  picked: boolean
  onPick: (day: BusinessDay) => void
}

function Day({ day, earning, loading, today, picked, onPick }: DayProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { amountsHidden } = usePreferences()
  const number = String(Number(day.slice(8)))
  const content = (
    <>
      <span className={cx(today && styles.today)}>{number}</span>
      {today && <VisuallyHidden>{t('fund.today')}</VisuallyHidden>}
      <span className={styles.amount}>
        {loading ? (
          <Skeleton width={22} height={8} />
        ) : (
          earning && (amountsHidden ? '••' : shortAmount(format, earning.amount))
        )}
      </span>
    </>
  )
  const current = today ? 'date' : undefined
  if (earning === undefined) {
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

/** Shortens an amount to fit a cell of 40 px; the line below the month shows it in full. */
function shortAmount(format: Format, amount: string): string {
  const minor = moneyOf(amount)
  return minor < 10_000 ? format.money(amount) : format.compact(String(Math.floor(minor / 100)))
}
