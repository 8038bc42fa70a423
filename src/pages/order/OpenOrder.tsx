import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import { Facts } from './Facts.tsx'
import { LivePnl } from './LivePnl.tsx'
import styles from './OpenOrder.module.css'
import { OrderRing } from './OrderRing.tsx'
import { Replay } from './Replay.tsx'
import { Story } from './Story.tsx'

/** An order that runs: what it would bring now and how long it has, in the place where its proof will stand. */
export function OpenOrder({ order }: { order: Order }) {
  const { t } = useTranslation()
  return (
    <>
      <Story order={order} />
      <div className={styles.now}>
        <OrderRing order={order} />
        <LivePnl order={order} />
        <PracticeBadge />
      </div>
      <Facts order={order} />
      <Replay order={order} />
      <p className={styles.later}>{t('order.endsIn')}</p>
    </>
  )
}
