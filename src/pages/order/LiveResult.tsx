import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { Stat } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import styles from './LiveResult.module.css'
import { OrderRing } from '../../features/orders/OrderRing.tsx'
import { useLivePnlRefs } from '../../features/orders/useLivePnlRefs.ts'

/** The P&L of an open order if it ended now, the page's large number, and its time left. */
export function LiveResult({ order }: { order: Order }) {
  const config = useVenueConfig()
  const { pnlRef, caption, initialCaption } = useLivePnlRefs(order)
  return (
    <div className={styles.outer}>
      <div className={styles.result}>
        <span className={styles.figure}>
          <Stat unit={config?.currency} valueRef={pnlRef}>
            {noValue}
          </Stat>
        </span>
        <span className={styles.badge}>
          <PracticeBadge />
        </span>
        <span ref={caption} className={styles.caption}>
          {initialCaption}
        </span>
        <span className={styles.ring}>
          <OrderRing order={order} />
        </span>
      </div>
    </div>
  )
}
