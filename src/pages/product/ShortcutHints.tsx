import { useTranslation } from 'react-i18next'
import { preferences } from '../../state/preferences.ts'
import { TextLink } from '../../ui/index.ts'
import { durationKeysMax } from './shortcut.ts'
import styles from './ShortcutHints.module.css'

/**
 * Lists the page's keyboard shortcuts, and turns them off: dictation or accidental typing must not place an order.
 */
export function ShortcutHints({ isOn, durations }: { isOn: boolean; durations: number }) {
  const { t } = useTranslation()
  const toggle = (
    <TextLink
      onClick={() => {
        preferences.shortcuts = !isOn
      }}
    >
      {t(isOn ? 'ticket.keysOff' : 'ticket.keysOn')}
    </TextLink>
  )
  if (!isOn) return <p className={styles.keys}>{toggle}</p>
  return (
    <p className={styles.keys}>
      {durations > 1 && (
        <span className={styles.key}>
          <kbd>1</kbd>–<kbd>{Math.min(durationKeysMax, durations)}</kbd> {t('ticket.duration')}
        </span>
      )}
      <span className={styles.key}>
        <kbd>U</kbd> {t('ticket.buyUp')}
      </span>
      <span className={styles.key}>
        <kbd>D</kbd> {t('ticket.buyDown')}
      </span>
      <span className={styles.key}>
        <kbd>P</kbd> <kbd>N</kbd> {t('switcher.keys')}
      </span>
      {toggle}
    </p>
  )
}
