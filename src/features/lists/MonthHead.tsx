import { useTranslation } from 'react-i18next'
import { addMonths } from '../../../contract/time.ts'
import { useDayFormat } from '../../hooks/useDays.ts'
import { IconButton } from '../../ui/index.ts'
import styles from './MonthHead.module.css'

export type MonthHeadProps = {
  month: string
  /** The first and the last month that can be shown. */
  oldest: string
  newest: string
  onMonth: (month: string) => void
}

/** A month as a heading, with buttons to the one before and the one after. */
export function MonthHead({ month, oldest, newest, onMonth }: MonthHeadProps) {
  const { t } = useTranslation()
  const days = useDayFormat()
  return (
    <div className={styles.head}>
      <IconButton
        icon="caret-left"
        className={styles.turn}
        label={t('fund.monthBefore')}
        disabled={month <= oldest}
        onClick={() => onMonth(addMonths(month, -1))}
      />
      <h2 className={styles.month} aria-live="polite">
        {days.monthHead(month)}
      </h2>
      <IconButton
        icon="caret-right"
        className={styles.turn}
        label={t('fund.monthAfter')}
        disabled={month >= newest}
        onClick={() => onMonth(addMonths(month, 1))}
      />
    </div>
  )
}

/** The month that an address names, if it is one up to the newest; else the newest. */
export const monthIn = (query: URLSearchParams, newest: string): string => {
  const month = query.get('month') ?? ''
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && month <= newest ? month : newest
}
