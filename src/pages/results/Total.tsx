import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { sharesMinOrders } from '../../../contract/results.ts'
import type { ResultGroup } from '../../../contract/results.ts'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import { toneOf } from '../../features/orders/pnl.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { KeyValues, Stat } from '../../ui/index.ts'
import { intervalText } from './shares.ts'
import styles from './Results.module.css'

const statTone = { up: 'up', down: 'down', level: 'ink', none: 'ink' } as const

/** All settled orders of the period: what they won and lost, and from 30 decided ones on the shares. */
export function Total({ total }: { total: ResultGroup }) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMaskedMoney()
  const currency = useVenueConfig()?.currency
  const { orders, won, lost, tied, refunded, stake, pnl, shares } = total
  const count = (value: number): string => format.decimal(String(value))
  return (
    <>
      <Stat size={28} unit={currency} tone={statTone[toneOf(moneyOf(pnl))]}>
        {money(pnl, 'always')}
      </Stat>
      <KeyValues
        items={[
          { key: 'orders', label: t('results.settled'), value: count(orders) },
          { key: 'stake', label: t('results.stake'), value: money(stake) },
          { key: 'won', label: t('order.status.won'), value: count(won) },
          { key: 'lost', label: t('order.status.lost'), value: count(lost) },
          { key: 'tied', label: t('order.status.tied'), value: count(tied) },
          { key: 'refunded', label: t('order.status.refunded'), value: count(refunded) },
          ...(shares === null
            ? []
            : [
                { key: 'right', label: t('results.right'), value: format.share(shares.rightBp / 10_000) },
                { key: 'interval', label: t('results.interval'), value: intervalText(format, shares) },
                {
                  key: 'even',
                  label: t('ticket.breakEven'),
                  value: format.share(shares.breakEvenBp / 10_000),
                },
              ]),
        ]}
      />
      {shares === null && <p className={styles.few}>{t('results.few', { orders: sharesMinOrders })}</p>}
    </>
  )
}
