import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { durationText } from './duration.ts'
import { DirectionTile } from '../../ui/index.ts'
import { listedAt } from './list.ts'
import type { OrderTab } from './list.ts'
import { OrderRing } from './OrderRing.tsx'
import styles from './OrderRow.module.css'
import { pnlText, toneOf } from './pnl.ts'
import { PriceNow } from './PriceNow.tsx'
import { TimeLeft } from './TimeLeft.tsx'
import { useLivePnlRefs } from './useLivePnlRefs.ts'
import { priceText, pricesText, resultText } from './orderLabels.ts'

export type OrderRowProps = {
  order: Order
  /** The product's code, or its id until the catalog is loaded. */
  product: string
  /**
   * Shows a ring for an open order. Not in a list with closed orders, because it would break the alignment of their
   * P&L.
   */
  ring: boolean
  /** If set, the row shows the time the tab sorts by, the order number and the holding time. */
  tab?: OrderTab | undefined
}

/** An order in a row: product and direction, amount, entry → exit, signed P&L, time left or time closed. */
export function OrderRow({ order, product, ring, tab }: OrderRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const final = isFinal(order.status)
  return (
    <a className={styles.row} href={hrefTo(paths.order, { id: order.id })}>
      <span className={styles.cells} data-ring={(ring && !final) || undefined}>
        <span className={styles.tile}>
          <DirectionTile direction={order.direction} />
        </span>
        <span className={styles.product}>{product}</span>
        <span className={styles.what}>
          {t('order.what', { direction: t(`order.${order.direction}`), amount: format.money(order.amount) })}
        </span>
        <span className={styles.prices}>
          {final ? pricesText(format, order) : <LivePrices order={order} />}
        </span>
        {final ? (
          <SettledCells order={order} at={listedAt(order, tab ?? 'closed')} />
        ) : (
          <LiveCells order={order}>
            {ring ? (
              <span className={styles.ring}>
                <OrderRing order={order} />
              </span>
            ) : (
              <span className={styles.time}>
                <TimeLeft order={order} />
              </span>
            )}
          </LiveCells>
        )}
      </span>
      {tab !== undefined && (
        <span className={styles.details}>
          <span>{order.no}</span>
          <span>
            {t('order.held')} {durationText(t, order.seconds)}
          </span>
        </span>
      )}
    </a>
  )
}

function SettledCells({ order, at }: { order: Order; at: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const pnl = order.pnl === null ? undefined : moneyOf(order.pnl)
  return (
    <>
      <span className={styles.pnl} data-tone={toneOf(pnl)}>
        {pnlText(format, pnl)}
      </span>
      <span className={styles.result}>{resultText(t, order)}</span>
      <span className={styles.time}>{format.time(at)}</span>
    </>
  )
}

function LiveCells({ order, children }: { order: Order; children: ReactNode }) {
  const { pnlRef, caption, initialCaption } = useLivePnlRefs(order)
  return (
    <>
      <span ref={pnlRef} className={styles.pnl} data-tone="none">
        {noValue}
      </span>
      <span ref={caption} className={styles.result}>
        {initialCaption}
      </span>
      {children}
    </>
  )
}

/** Entry → current price. */
function LivePrices({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (order.entry === null) return t('order.waiting')
  return (
    <>
      {priceText(format, order, 'entry')} → <PriceNow order={order} />
    </>
  )
}
