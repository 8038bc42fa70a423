import { useTranslation } from 'react-i18next'
import { outcomesMinOrders, type OutcomeShares } from '../../../contract/status.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import styles from './Outcomes.module.css'

/** How the orders of a product ended, and the share that had to be won for orders to gain and lose nothing. */
export function Outcomes({ outcomes }: { outcomes: OutcomeShares | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (outcomes === null) {
    return <p className={styles.few}>{t('status.fewOrders', { orders: String(outcomesMinOrders) })}</p>
  }
  const { orders, decided } = outcomes
  const shares = [
    { status: 'won', bp: outcomes.wonBp },
    { status: 'lost', bp: outcomes.lostBp },
    { status: 'tied', bp: outcomes.tiedBp },
    { status: 'refunded', bp: outcomes.refundedBp },
  ] as const
  return (
    <>
      <h3 className={styles.title}>{t('status.outcomes', { orders: format.decimal(String(orders)) })}</h3>
      <div className={styles.frame}>
        <dl className={styles.shares}>
          {shares.map(({ status, bp }) => (
            <div key={status}>
              <dt className={styles.label}>{t(`order.status.${status}`)}</dt>
              <dd className={styles.share}>{format.percent(bp)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {decided !== null && (
        <>
          <WonBar {...decided} />
          <dl className={styles.decided}>
            <div>
              <dt className={styles.label}>{t('status.wonOfDecided')}</dt>
              <dd className={styles.share}>{format.percent(decided.wonBp)}</dd>
            </div>
            <div>
              <dt className={styles.label}>{t('ticket.breakEven')}</dt>
              <dd className={styles.share}>{format.percent(decided.breakEvenBp)}</dd>
            </div>
          </dl>
        </>
      )}
    </>
  )
}

/** The won share as a bar, with a mark at the break-even share; the figures below it say the same. */
function WonBar({ wonBp, breakEvenBp }: NonNullable<OutcomeShares['decided']>) {
  return (
    <svg className={styles.bar} viewBox="0 0 10000 100" preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.track} y="30" width="10000" height="40" />
      <rect className={styles.won} y="30" width={wonBp} height="40" />
      <line className={styles.mark} x1={breakEvenBp} x2={breakEvenBp} y1="0" y2="100" />
    </svg>
  )
}
