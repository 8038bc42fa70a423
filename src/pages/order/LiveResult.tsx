import type { Order } from '../../../streams/index.ts'
import { noFigure } from '../../format.ts'
import { useConfig } from '../../hooks/useConfig.ts'
import { Figure } from '../../ui/index.ts'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import styles from './LiveResult.module.css'
import { OrderRing } from './OrderRing.tsx'
import { useLiveFigure } from './useLiveFigure.ts'

/** What a running order would bring now, the one large figure of its page, and how long it has. */
export function LiveResult({ order }: { order: Order }) {
  const config = useConfig()
  const { figure, caption, first } = useLiveFigure(order)
  return (
    <div className={styles.result}>
      <span className={styles.figure}>
        <Figure unit={config?.currency} valueRef={figure}>
          {noFigure}
        </Figure>
      </span>
      <span className={styles.badge}>
        <PracticeBadge />
      </span>
      <span ref={caption} className={styles.caption}>
        {first}
      </span>
      <span className={styles.ring}>
        <OrderRing order={order} />
      </span>
    </div>
  )
}
