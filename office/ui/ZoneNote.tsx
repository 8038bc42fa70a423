import { useMemo } from 'react'
import { hourMs } from '../../contract/time.ts'
import { utcOffset } from '../../src/text/utcOffset.ts'
import { useVenueNow } from '../data/venueClock.ts'
import { useTexts } from '../i18n.ts'
import { useSession } from '../state/staff.ts'
import styles from './ZoneNote.module.css'

/** Once on each screen: in which zone all its times are. */
export function ZoneNote() {
  const t = useTexts()
  const { zone } = useSession()
  // Summer time begins and ends at a full hour.
  const hour = Math.floor(useVenueNow() / hourMs) * hourMs
  const offset = useMemo(() => utcOffset(zone, hour), [zone, hour])
  return (
    <span className={styles.zone} title={zone}>
      {t('site.timesIn', { zone: offset })}
    </span>
  )
}
