import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { sharesMinOrders, type OwnResults, type ResultShares } from '../../../contract/results.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import { toneOf } from '../../features/orders/pnl.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { KeyValues, Stat } from '../../ui/index.ts'
import { PnlCurve } from './PnlCurve.tsx'
import { intervalText } from './shares.ts'
import styles from './Results.module.css'

const statTone = { up: 'up', down: 'down', level: 'ink', none: 'ink' } as const

/** All settled orders of the period: what they won and lost as it grew, and how they ended. */
export function Total({ results: { total, curve } }: { results: OwnResults }) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMaskedMoney()
  const currency = useVenueConfig()?.currency
  const { orders, won, lost, tied, refunded, stake, pnl, shares } = total
  const count = (value: number): string => format.decimal(String(value))
  return (
    <>
      <div className={styles.head}>
        <Stat size={28} unit={currency} tone={statTone[toneOf(moneyOf(pnl))]}>
          {money(pnl, 'always')}
        </Stat>
        <PracticeBadge />
      </div>
      <PnlCurve curve={curve} />
      <div className={styles.figures}>
        <KeyValues
          items={[
            { key: 'orders', label: t('results.settled'), value: count(orders) },
            { key: 'stake', label: t('results.stake'), value: money(stake) },
            { key: 'won', label: t('order.status.won'), value: count(won) },
            { key: 'lost', label: t('order.status.lost'), value: count(lost) },
            { key: 'tied', label: t('order.status.tied'), value: count(tied) },
            { key: 'refunded', label: t('order.status.refunded'), value: count(refunded) },
          ]}
        />
      </div>
      {shares !== null && <Shares shares={shares} />}
    </>
  )
}

/** From 30 won or lost orders on: the share that was right, how sure it is, and the one at which nothing is gained or lost. */
function Shares({ shares }: { shares: ResultShares }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <KeyValues
        items={[
          { key: 'right', label: t('results.right'), value: format.share(shares.rightBp / 10_000) },
          { key: 'interval', label: t('results.interval'), value: intervalText(format, shares) },
          { key: 'even', label: t('ticket.breakEven'), value: format.share(shares.breakEvenBp / 10_000) },
        ]}
      />
      <p className={styles.method}>{t('results.method', { orders: sharesMinOrders })}</p>
    </>
  )
}
