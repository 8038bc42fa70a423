import { useTranslation } from 'react-i18next'
import { addMoney, moneyOf } from '../../../contract/money.ts'
import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { useOpenPnlRef } from '../../features/orders/useOpenPnlRef.ts'
import styles from './OpenOrdersSummary.module.css'

/** Above the positions: the total stake, and the total P&L if all ended now. */
export function OpenOrdersSummary({ open }: { open: readonly Order[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const pnlRef = useOpenPnlRef()
  return (
    <div className={styles.summary}>
      <div>
        <p className={styles.label}>
          {t('orders.openStakes')} <PracticeBadge />
        </p>
        <p className={styles.figure}>
          {format.money(addMoney(...open.map(({ amount }) => moneyOf(amount))))}
        </p>
      </div>
      <div className={styles.end}>
        <p className={styles.label}>{t('orders.ifEndedNow')}</p>
        <p className={styles.figure}>
          <span ref={pnlRef} data-tone="none">
            {noValue}
          </span>
        </p>
      </div>
    </div>
  )
}
