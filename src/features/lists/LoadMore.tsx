import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/index.ts'
import styles from './LoadMore.module.css'

/** Loads the next page when it is scrolled into view; the button is for members who do not scroll. */
export function LoadMore({ onMore, busy, failed }: { onMore: () => void; busy: boolean; failed: boolean }) {
  const { t } = useTranslation()
  const sentinel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const node = sentinel.current
    if (node === null || failed) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onMore()
      },
      { rootMargin: '400px' },
    )
    observer.observe(node)
    return () => observer.disconnect()
  }, [onMore, failed])
  return (
    <div ref={sentinel} className={styles.more}>
      <Button variant="secondary" size="small" busy={busy} onClick={onMore}>
        {failed ? t('common.retry') : t('orders.loadMore')}
      </Button>
      {failed && <p className={styles.failed}>{t('orders.failedMore')}</p>}
    </div>
  )
}
