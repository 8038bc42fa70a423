import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './UpdatePrompt.module.css'
import { putOffUpdate, updateOffered, watchUpdates } from './updates.ts'

const update = (): void => void import('./register.ts').then(({ applyUpdate }) => applyUpdate())

/** Asks, once and without hurry, whether the new version may take over. Nothing reloads by itself. */
export function UpdatePrompt() {
  const { t } = useTranslation()
  const offered = useSyncExternalStore(watchUpdates, updateOffered)
  return (
    <div className={styles.place} aria-live="polite">
      {offered && (
        <div className={styles.prompt}>
          <p className={styles.text}>{t('update.ready')}</p>
          <Button variant="text" size="small" onClick={update}>
            {t('update.now')}
          </Button>
          <IconButton icon="x" size={20} label={t('update.later')} onClick={putOffUpdate} />
        </div>
      )}
    </div>
  )
}
