import { Icon } from '../../src/ui/Icon.tsx'
import styles from './Age.module.css'

/** How long something waits; marked once that is long. */
export function Age({ text, isLate }: { text: string; isLate: boolean }) {
  return (
    <span className={isLate ? styles.late : styles.age}>
      {isLate && <Icon name="clock" size={14} />}
      {text}
    </span>
  )
}
