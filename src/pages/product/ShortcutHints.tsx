import { useTranslation } from 'react-i18next'
import { preferences } from '../../state/preferences.ts'
import { TextLink } from '../../ui/index.ts'
import styles from './ShortcutHints.module.css'

/** Says which keys work the ticket, and turns them off: who dictates or types by accident must not order by a letter. */
export function ShortcutHints({ on, durations }: { on: boolean; durations: number }) {
  const { t } = useTranslation()
  const toggle = (
    <TextLink
      onClick={() => {
        preferences.shortcuts = !on
      }}
    >
      {t(on ? 'ticket.keysOff' : 'ticket.keysOn')}
    </TextLink>
  )
  if (!on) return <p className={styles.keys}>{toggle}</p>
  return (
    <p className={styles.keys}>
      {durations > 1 && (
        <span className={styles.key}>
          <kbd>1</kbd>–<kbd>{durations}</kbd> {t('ticket.duration')}
        </span>
      )}
      <span className={styles.key}>
        <kbd>U</kbd> {t('ticket.buyUp')}
      </span>
      <span className={styles.key}>
        <kbd>D</kbd> {t('ticket.buyDown')}
      </span>
      {toggle}
    </p>
  )
}
