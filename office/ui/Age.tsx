import { Badge } from '../../src/ui/Badge.tsx'
import { Icon } from '../../src/ui/Icon.tsx'
import { useTexts } from '../i18n.ts'
import styles from './Age.module.css'

type AgeProps = { text: string; isLate: boolean; isNew?: boolean }

/** How long something waits; marked while it is new, and once the wait is long. */
export function Age({ text, isLate, isNew = false }: AgeProps) {
  const t = useTexts()
  return (
    <span className={isLate ? styles.late : styles.age}>
      {isLate && <Icon name="clock" size={14} />}
      {isNew ? <Badge>{t('age.new')}</Badge> : text}
    </span>
  )
}
