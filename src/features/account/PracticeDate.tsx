import { useTranslation } from 'react-i18next'
import { useBusinessOffset, useBusinessToday, useDayFormat } from '../../hooks/useDays.ts'
import { Icon } from '../../ui/index.ts'
import styles from './PracticeDate.module.css'

/** The date of the practice calendar, before a page's content. Renders nothing if it equals the venue's date. */
export function PracticeDate() {
  const { t } = useTranslation()
  const days = useDayFormat()
  const today = useBusinessToday()
  const offsetMs = useBusinessOffset()
  if (offsetMs === 0) return null
  return (
    <p className={styles.note}>
      <Icon name="calendar-blank" size={16} />
      {/* Its line is there before the venue's clock is known. */}
      {today === undefined ? '\u00a0' : t('fund.practiceDate', { date: days.long(today) })}
    </p>
  )
}
