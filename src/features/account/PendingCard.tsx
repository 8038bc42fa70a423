import type { Loadable } from '../../../streams/index.ts'
import { Card, Skeleton } from '../../ui/index.ts'
import styles from './PendingCard.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

export type PendingCardProps = {
  loadable: Loadable<unknown>
  failedTitle: string
  onRetry: () => void
}

/** Shown until there is a value: that it loads, or why it did not. */
export function PendingCard({ loadable, failedTitle, onRetry }: PendingCardProps) {
  return (
    <Card>
      <Loaded
        of={loadable}
        failed={failedTitle}
        retry={onRetry}
        skeleton={
          <div className={styles.loading}>
            <Skeleton line={15} width={160} />
            <Skeleton line={12} width={220} />
          </div>
        }
      />
    </Card>
  )
}
