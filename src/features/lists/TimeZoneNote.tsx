import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { hourMs } from '../../../contract/time.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { utcOffset } from '../../text/utcOffset.ts'
import styles from './TimeZoneNote.module.css'

/** The zone of the times that a page shows, as a quiet line: once per page. */
export function TimeZoneNote() {
  const { t } = useTranslation()
  const zone = useVenueZone()
  const hour = Math.floor(useMinute() / hourMs) * hourMs
  const offset = useMemo(() => utcOffset(zone, hour), [zone, hour])
  return <span className={styles.note}>{t('common.timesIn', { zone: offset })}</span>
}
