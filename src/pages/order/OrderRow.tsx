import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { DirectionTile } from '../../ui/index.ts'
import { LivePnl, pnlText, toneOf } from './LivePnl.tsx'
import { OrderRing } from './OrderRing.tsx'
import styles from './OrderRow.module.css'
import { PriceNow } from './PriceNow.tsx'
import { priceText, resultText } from './words.ts'

export type OrderRowProps = {
  order: Order
  /** The product's code, or its id while the table of products is not there. */
  product: string
}

/** An order in one glance: product and direction, amount, entry → exit, P&L with its sign, time left or closed. */
export function OrderRow({ order, product }: OrderRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const final = isFinal(order.status)
  return (
    <a className={styles.row} href={hrefTo(paths.order, { id: order.id })}>
      <DirectionTile direction={order.direction} />
      <span className={styles.story}>
        <span className={styles.product}>{product}</span>
        <span className={styles.what}>
          {t('order.what', { direction: t(`order.${order.direction}`), amount: format.money(order.amount) })}
        </span>
        <span className={styles.prices}>
          {final ? (
            `${priceText(format, order, 'entry')} → ${priceText(format, order, 'exit')}`
          ) : (
            <Moving order={order} />
          )}
        </span>
      </span>
      {final ? <Ended order={order} /> : <Running order={order} />}
    </a>
  )
}

function Ended({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const pnl = order.pnl === null ? undefined : moneyOf(order.pnl)
  return (
    <span className={styles.end}>
      <span className={styles.pnl} data-tone={toneOf(pnl)}>
        {pnlText(format, pnl)}
      </span>
      <span className={styles.result}>{resultText(t, order)}</span>
      <span className={styles.time}>{format.time(order.settledAt ?? order.closeAt)}</span>
    </span>
  )
}

function Running({ order }: { order: Order }) {
  return (
    <>
      <LivePnl order={order} />
      <span className={styles.ring}>
        <OrderRing order={order} />
      </span>
    </>
  )
}

/** Entry → the price now. */
function Moving({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (order.entry === null) return t('order.waiting')
  return (
    <>
      {priceText(format, order, 'entry')} → <PriceNow order={order} />
    </>
  )
}
