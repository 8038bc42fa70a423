import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../ui/Icon.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { usePull } from '../ui/usePull.ts'
import styles from './PullDisc.module.css'

/** Comes out from under the bar with the finger, and turns there until the answers are here. */
export function PullDisc({ refreshing, onPulled }: { refreshing: boolean; onPulled: () => void }) {
  const { t } = useTranslation()
  const node = useRef<HTMLOutputElement>(null)
  usePull(node, onPulled)
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
