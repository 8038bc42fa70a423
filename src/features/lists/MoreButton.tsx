import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/index.ts'
import styles from './MoreButton.module.css'

export type MoreButtonProps = {
  onMore: () => void
  busy: boolean
  /** What is shown if the last page could not be loaded; the button then tries again. */
  failed: string | undefined
}

/** Loads the next page of a list. */
export function MoreButton({ onMore, busy, failed }: MoreButtonProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.more}>
      <Button variant="secondary" size="small" busy={busy} onClick={onMore}>
        {failed === undefined ? t('content.loadMore') : t('common.retry')}
      </Button>
      {failed !== undefined && <p className={styles.failed}>{failed}</p>}
    </div>
  )
}
