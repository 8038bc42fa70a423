import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { Ring } from '../../ui/index.ts'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import { durationText } from '../product/duration.ts'
import { Facts } from './Facts.tsx'
import { LivePnl } from './LivePnl.tsx'
import styles from './OpenOrder.module.css'
import { Replay } from './Replay.tsx'
import { Story } from './Story.tsx'
import { useRing } from './useLive.ts'

/** An order that runs: what it would bring now and how long it has, in the place where its proof will stand. */
export function OpenOrder({ order }: { order: Order }) {
  const { t } = useTranslation()
  const ring = useRing(order)
  return (
    <>
      <Story order={order} />
      <div className={styles.now}>
        <Ring
          totalMs={order.closeAt - order.acceptedAt}
          bind={ring}
          label={t('order.timeLeft')}
          settlingLabel={t('order.settling')}
          spoken={(seconds) => `${t('order.timeLeft')}: ${durationText(t, seconds)}`}
        />
        <LivePnl order={order} />
        <PracticeBadge />
      </div>
      <Facts order={order} />
      <Replay order={order} />
      <p className={styles.later}>{t('order.endsIn')}</p>
    </>
  )
}
