import { Skeleton } from '../../ui/index.ts'
import styles from './OrderRow.module.css'

/** A placeholder row in the columns of {@link OrderRow}. */
export function OrderRowSkeleton({ details = false }: { details?: boolean }) {
  return (
    <span className={styles.row}>
      <span className={styles.body} data-table={details || undefined}>
        <span className={styles.cells}>
          <span className={styles.tile}>
            <Skeleton width={32} height={32} radius={8} />
          </span>
          <span className={styles.product}>
            <Skeleton line={15} width={88} />
          </span>
          <span className={styles.what}>
            <Skeleton line={13} width={72} />
          </span>
          <span className={styles.prices}>
            <Skeleton line={12} width={128} />
          </span>
          <span className={styles.pnl}>
            <Skeleton line={17} width={72} />
          </span>
        </span>
        {details && (
          <span className={styles.details}>
            <span className={styles.no}>
              <Skeleton line={12} width={112} />
            </span>
          </span>
        )}
      </span>
    </span>
  )
}
