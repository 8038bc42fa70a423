import { useTranslation } from 'react-i18next'
import { useBusinessOffset, useBusinessToday, useDayFormat } from '../../hooks/useDays.ts'
import { Icon } from '../../ui/index.ts'
import styles from './PracticeDate.module.css'

/** The date of the practice calendar, where it stands apart from the venue's clock; else nothing. Goes before a page's content. */
export function PracticeDate() {
  const { t } = useTranslation()
  const days = useDayFormat()
  const today = useBusinessToday()
  const offsetMs = useBusinessOffset()
  if (offsetMs === 0 || today === undefined) return null
  return (
    <p className={styles.note}>
      <Icon name="calendar-blank" size={16} />
      {t('fund.practiceDate', { date: days.long(today) })}
    </p>
  )
}
