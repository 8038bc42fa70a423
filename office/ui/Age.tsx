import { Badge } from '../../src/ui/Badge.tsx'
import { Icon } from '../../src/ui/Icon.tsx'
import { lateMs, newMs } from '../data/age.ts'
import { useAgeText, useIsOlder } from '../data/venueClock.ts'
import { useTexts } from '../i18n.ts'
import styles from './Age.module.css'

/** How long something waits; marked while it is new, and once the wait is long. */
export function Age({ since }: { since: number }) {
  const t = useTexts()
  const text = useAgeText(since)
  const isLate = useIsOlder(since, lateMs)
  const isNew = !useIsOlder(since, newMs)
  return (
    <span className={isLate ? styles.late : styles.age}>
      {isLate && <Icon name="clock" size={14} />}
      {isNew ? <Badge>{t('age.new')}</Badge> : text}
    </span>
  )
}

/** How long ago it was, as plain words. */
export const AgeText = ({ since }: { since: number }) => <>{useAgeText(since)}</>
