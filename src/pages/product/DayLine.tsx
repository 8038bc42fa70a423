import type { ProductDetail } from '../../../streams/index.ts'
import { movementOf } from '../../features/market/productDisplay.ts'
import { Sparkline } from '../../ui/index.ts'
import styles from './DayLine.module.css'

/** The product's day where its chart will be, until that has its bars. */
export function DayLine({ product: { spark, change24hBp, status } }: { product: ProductDetail }) {
  if (spark === undefined || spark.length === 0) return null
  return (
    <div className={styles.place} data-day-line="">
      <Sparkline values={spark} movement={movementOf(change24hBp)} quiet={status !== 'open'} />
    </div>
  )
}
