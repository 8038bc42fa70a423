import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { LiveChart } from './chart/LiveChart.tsx'
import { LiveResult } from './LiveResult.tsx'
import styles from './OpenOrder.module.css'
import { OrderLayout } from './OrderLayout.tsx'
import { ProofSection } from './proof/ProofSection.tsx'

/** An open order: its P&L if it ended now and its time left. A note takes the place of the proof. */
export function OpenOrder({ order }: { order: Order }) {
  const { t } = useTranslation()
  return (
    <OrderLayout order={order} result={<LiveResult order={order} />} chart={<LiveChart order={order} />}>
      <ProofSection>
        <p className={styles.later}>{t('order.endsIn')}</p>
      </ProofSection>
    </OrderLayout>
  )
}
