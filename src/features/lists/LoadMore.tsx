import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { watchSight } from '../../hooks/watchSight.ts'
import { MoreButton } from './MoreButton.tsx'

/** Loads the next page when it is scrolled into view; the button is for members who do not scroll. */
export function LoadMore({ onMore, busy, failed }: { onMore: () => void; busy: boolean; failed: boolean }) {
  const { t } = useTranslation()
  const sentinel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const node = sentinel.current
    if (node === null || failed) return undefined
    return watchSight(node, (isInSight) => isInSight && onMore(), { marginPx: 400 })
  }, [onMore, failed])
  return (
    <div ref={sentinel}>
      <MoreButton onMore={onMore} busy={busy} failed={failed ? t('orders.failedMore') : undefined} />
    </div>
  )
}
