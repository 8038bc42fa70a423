import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../ui/Icon.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { usePullToRefresh } from '../ui/usePullToRefresh.ts'
import styles from './PullToRefresh.module.css'

/** An indicator that follows the finger from under the bar, and spins until the refresh is complete. */
export function PullToRefresh({ refreshing, onRefresh }: { refreshing: boolean; onRefresh: () => void }) {
  const { t } = useTranslation()
  const node = useRef<HTMLOutputElement>(null)
  usePullToRefresh(node, onRefresh)
  return (
    <output ref={node} className={styles.place} data-refreshing={refreshing || undefined}>
      <span className={styles.disc}>
        {refreshing ? (
          <Spinner label={t('common.loading')} />
        ) : (
          <Icon name="arrow-clockwise" size={20} className={styles.arrow} />
        )}
      </span>
    </output>
  )
}
