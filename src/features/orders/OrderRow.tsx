import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { isFinal } from '../../../contract/orders.ts'
import { businessDay } from '../../../contract/time.ts'
import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import type { KeptReceipt } from '../../proof/keptReceipt.ts'
import { durationText } from './duration.ts'
import { ColumnHead, ColumnHeads, DirectionTile } from '../../ui/index.ts'
import type { Sorting } from '../lists/sorting.ts'
import { listedAt, type OrderTab } from './list.ts'
import { OrderRing } from './OrderRing.tsx'
import styles from './OrderRow.module.css'
import { pnlText, toneOf } from './pnl.ts'
import { PriceNow } from './PriceNow.tsx'
import { useShownResults } from './shownOutcomes.ts'
import { TimeLeft } from './TimeLeft.tsx'
import { useLivePnlRefs } from './useLivePnlRefs.ts'
import { closedAt, priceText, pricesText, resultText } from './orderLabels.ts'

export type OrderRowProps = {
  order: Order
  /** The product's code, or its id until the catalogue is loaded. */
  product: string
  /**
   * Shows a ring for an open order. Not in a list with closed orders, because it would break the alignment of their
   * P&L.
   */
  ring: boolean
  /** If set, the row shows the order number and the holding time, and in records when it was placed. */
  tab?: OrderTab | undefined
  /** The list is not by day: the time has its day. */
  dated?: boolean
  /** Its receipt, if the order is not what that states. */
  changed?: Pick<KeptReceipt, 'isVerified'> | undefined
}

/** An order in a row: product and direction, amount, entry → exit, signed P&L, time left or time closed. */
export function OrderRow({ order, product, ring, tab, dated = false, changed }: OrderRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const final = isFinal(order.status)
  const row = useRef<HTMLAnchorElement>(null)
  useShownResults([order], row)
  return (
    <a ref={row} className={styles.row} href={hrefTo(paths.order, { id: order.id })}>
      <span className={styles.body} data-table={tab !== undefined || undefined}>
        <span className={styles.cells} data-ring={(ring && !final) || undefined}>
          <span className={styles.tile}>
            <DirectionTile direction={order.direction} />
          </span>
          <span className={styles.product}>{product}</span>
          <span className={styles.what}>
            {t('order.what', {
              direction: t(`order.${order.direction}`),
              amount: format.money(order.amount),
            })}
          </span>
          <span className={styles.prices}>
            {final ? pricesText(format, order) : <LivePrices order={order} />}
          </span>
          {final ? (
            <SettledCells order={order} tab={tab} dated={dated} />
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
        {tab !== undefined && <Details order={order} />}
      </span>
      {changed && (
        <span className={styles.changed}>
          {t(changed.isVerified ? 'orders.signedDiffers' : 'orders.receiptDiffers')}
        </span>
      )}
    </a>
  )
}

/** The number and the holding time: below the other cells, or in columns of a wide list. */
function Details({ order: { no, seconds } }: Pick<OrderRowProps, 'order'>) {
  const { t } = useTranslation()
  return (
    <span className={styles.details}>
      <span className={styles.no}>{no}</span>
      <span className={styles.held}>
        <span className={styles.heldLabel}>{t('order.held')} </span>
        {durationText(t, seconds)}
      </span>
    </span>
  )
}

/** The heads of the columns that rows with a tab have in a wide list. */
export function OrderHeads({ tab, head }: { tab: OrderTab } & Pick<Sorting, 'head'>) {
  const { t } = useTranslation()
  return (
    <div className={styles.headed}>
      <ColumnHeads label={t('lists.columns')} className={styles.heads}>
        <ColumnHead className={styles.productHead} {...head('product')}>
          {t('orders.product')}
        </ColumnHead>
        <ColumnHead className={styles.no}>{t('order.number')}</ColumnHead>
        <ColumnHead className={styles.what} {...head('amount')}>
          {t('order.amount')}
        </ColumnHead>
        <ColumnHead className={styles.held} {...head('held')}>
          {t('order.held')}
        </ColumnHead>
        <ColumnHead className={styles.prices}>
          {t('order.entry')} → {t('order.exit')}
        </ColumnHead>
        <ColumnHead className={styles.time} {...head('time')}>
          {t(tab === 'closed' ? 'order.closes' : 'order.accepted')}
        </ColumnHead>
        <ColumnHead className={styles.result} {...head('result')}>
          {t('orders.result')}
        </ColumnHead>
        <ColumnHead className={styles.pnl} {...head('pnl')}>
          {t('order.pnl')}
        </ColumnHead>
      </ColumnHeads>
    </div>
  )
}

function SettledCells({ order, tab, dated }: Pick<OrderRowProps, 'order' | 'tab' | 'dated'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const pnl = order.pnl === null ? undefined : moneyOf(order.pnl)
  const zone = useVenueZone()
  const at = tab === 'records' ? order.acceptedAt : closedAt(order)
  // An order that settled after midnight is listed under the day on which it did.
  const isOtherDay = tab !== undefined && businessDay(at, zone) !== businessDay(listedAt(order, tab), zone)
  return (
    <>
      <span className={styles.pnl} data-tone={toneOf(pnl)}>
        {pnlText(format, pnl)}
      </span>
      <span className={styles.result}>{resultText(t, order)}</span>
      <span className={styles.time}>
        {isOtherDay || dated === true ? format.dateTimeShort(at) : format.time(at)}
      </span>
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
