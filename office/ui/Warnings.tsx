import { Icon } from '../../src/ui/Icon.tsx'
import { cx } from '../../src/ui/cx.ts'
import styles from './Warnings.module.css'

type WarningsProps = {
  texts: readonly string[]
  /** To look at, not to be confirmed. */
  isMild?: boolean
}

/** What could be wrong with a request, before everything else; nothing if nothing is. */
export function Warnings({ texts, isMild = false }: WarningsProps) {
  if (texts.length === 0) return null
  return (
    <ul className={cx(styles.list, isMild && styles.mild)}>
      {texts.map((text) => (
        <li key={text} className={styles.item}>
          <Icon name="warning-circle-fill" size={16} />
          {text}
        </li>
      ))}
    </ul>
  )
}
