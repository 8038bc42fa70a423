import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './UpdatePrompt.module.css'
import { postponeUpdate, isUpdateOffered, watchUpdates } from './updates.ts'

const update = (): void => void import('./register.ts').then(({ applyUpdate }) => applyUpdate())

/** Offers the new version once. Nothing reloads by itself. */
export function UpdatePrompt() {
  const { t } = useTranslation()
  const isOffered = useSyncExternalStore(watchUpdates, isUpdateOffered, isUpdateOffered)
  return (
    <div className={styles.place} aria-live="polite">
      {isOffered && (
        <div className={styles.prompt}>
          <p className={styles.text}>{t('update.ready')}</p>
          <Button variant="text" size="small" onClick={update}>
            {t('update.now')}
          </Button>
          <IconButton icon="x" size={20} label={t('update.later')} onClick={postponeUpdate} />
        </div>
      )}
    </div>
  )
}
