import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../format.ts'
import { useVenueConfig } from '../../hooks/useVenueConfig.ts'
import { Stat } from '../../ui/index.ts'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import styles from './LiveResult.module.css'
import { OrderRing } from './OrderRing.tsx'
import { useLivePnlRefs } from './useLivePnlRefs.ts'

/** What a running order would bring now, the one large figure of its page, and how long it has. */
export function LiveResult({ order }: { order: Order }) {
  const config = useVenueConfig()
  const { figure, caption, initialCaption } = useLivePnlRefs(order)
  return (
    <div className={styles.result}>
      <span className={styles.figure}>
        <Stat unit={config?.currency} valueRef={figure}>
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
  )
}
