import { Icon } from '../../src/ui/Icon.tsx'
import styles from './Warnings.module.css'

/** What could be wrong with a request, before everything else; nothing if nothing is. */
export function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <ul className={styles.list}>
      {texts.map((text) => (
        <li key={text} className={styles.item}>
          <Icon name="warning-circle-fill" size={16} />
          {text}
        </li>
      ))}
    </ul>
  )
}
