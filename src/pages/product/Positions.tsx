import { useMemo } from 'react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { cx } from '../../ui/cx.ts'
import { DirectionTile, IconButton, TextLink } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { OrderRing } from '../../features/orders/OrderRing.tsx'
import { LivePnlColumn } from '../../features/orders/LivePnlColumn.tsx'
import { pnlText, toneOf } from '../../features/orders/pnl.ts'
import { PnlColumn } from '../../features/orders/PnlColumn.tsx'
import { repeatOrder } from '../../features/orders/repeatOrder.ts'
import { useOrders } from '../../features/orders/useOrders.ts'
import { pricesText, resultText } from '../../features/orders/orderLabels.ts'
import { durationText } from '../../features/orders/duration.ts'
import styles from './Positions.module.css'

export type PositionsProps = {
  /** Undefined until loaded. */
  open: readonly Order[] | undefined
  settled: readonly Order[]
  onDismiss: (id: string) => void
  /** There is space for an empty state and for orders that closed before. */
  wide: boolean
  /** The heading has the practice badge: the ticket, which has it otherwise, is not shown. */
  badged: boolean
}

/**
 * The member's orders on this product: the just settled ones, then the open ones. On a phone it renders nothing if
 * there are none.
 */
export function Positions({ open, settled, onDismiss, wide, badged }: PositionsProps) {
  const { t } = useTranslation()
  const rows = open ?? []
  const isEmpty = rows.length === 0 && settled.length === 0
  // The empty state is only shown once the orders are loaded.
  if (isEmpty && (open === undefined || !wide)) return null
  const newest = settled[0]?.id ?? rows[0]?.id
  return (
    <section className={styles.positions} data-wide={wide || undefined} aria-label={t('product.positions')}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {t(wide ? 'product.openPositions' : 'product.positions')}{' '}
          <span className={styles.count}>{open?.length}</span> {badged && !isEmpty && <PracticeBadge />}
        </h2>
        <TextLink href={hrefTo(paths.orders, { tab: 'positions' })} caret={!wide}>
          {t(wide ? 'product.viewAll' : 'product.all')}
        </TextLink>
      </div>
      {isEmpty ? (
        <p className={styles.none}>{t('home.noPositions')}</p>
      ) : (
        // The newest order comes first; the key resets the scroll position for it.
        <ul key={newest} className={styles.cards} data-many={rows.length + settled.length > 1 || undefined}>
          {settled.map((order) => (
            <li key={order.id} className={styles.card}>
              <SettledPosition order={order} onDismiss={() => onDismiss(order.id)} />
            </li>
          ))}
          {rows.map((order) => (
            <li key={order.id} className={styles.card}>
              <OpenPosition order={order} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const recentMax = 3

/** Orders on a product that closed before the page was opened. */
export function RecentlyClosed({
  productId,
  excluding,
  badged,
}: Pick<PositionsProps, 'badged'> & { productId: string; excluding: readonly Order[] }) {
  const { t } = useTranslation()
  const filters = useMemo(() => ({ productId }), [productId])
  const { items: orders } = useOrders('closed', filters)
  const shown = orders.filter(({ id }) => excluding.every((order) => order.id !== id)).slice(0, recentMax)
  if (shown.length === 0) return null
  return (
    <section className={styles.positions} data-wide="" aria-label={t('orders.recentClosed')}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {t('orders.recentClosed')} {badged && <PracticeBadge />}
        </h2>
        <TextLink href={hrefTo(paths.orders, { tab: 'closed', product: productId })}>
          {t('product.viewAll')}
        </TextLink>
      </div>
      <ul className={styles.cards}>
        {shown.map((order) => (
          <li key={order.id} className={styles.card}>
            <SettledPosition order={order} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function OpenPosition({ order }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const entry =
    order.entry === null ? t('order.waiting') : format.price(order.entry.price, order.terms.priceDecimals)
  return (
    <a className={styles.row} href={hrefTo(paths.order, { id: order.id })}>
      <DirectionTile direction={order.direction} />
      <span className={styles.what}>
        <span className={styles.name}>{orderText(t, format, order)}</span>
        <span className={styles.caption}>
          {entry}
          <span className={styles.held}> · {durationText(t, order.seconds)}</span>
        </span>
      </span>
      <LivePnlColumn order={order} />
      <OrderRing order={order} />
    </a>
  )
}

/**
 * A settled order; a win and a loss look the same except for the colour. A just settled one is announced and can be
 * dismissed.
 */
function SettledPosition({ order, onDismiss }: { order: Order; onDismiss?: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const pnl = order.pnl === null ? undefined : moneyOf(order.pnl)
  return (
    <div className={styles.row}>
      <DirectionTile direction={order.direction} />
      <a className={styles.what} href={hrefTo(paths.order, { id: order.id })}>
        <span className={styles.name}>{orderText(t, format, order)}</span>
        <span className={styles.caption}>{pricesText(format, order)}</span>
      </a>
      <PnlColumn tone={toneOf(pnl)} value={pnlText(format, pnl)} announced={onDismiss !== undefined}>
        <span className={cx(styles.caption, styles.result)}>
          {resultText(t, order)} ·{' '}
          <TextLink href={hrefTo(paths.order, { id: order.id })}>{t('order.seeProof')}</TextLink> ·{' '}
          <TextLink onClick={() => repeatOrder(order)}>{t('order.again')}</TextLink>
        </span>
      </PnlColumn>
      {onDismiss && (
        <IconButton
          icon="x"
          size={16}
          label={t('order.dismiss')}
          onClick={onDismiss}
          className={styles.dismiss}
        />
      )}
    </div>
  )
}

function orderText(t: TFunction, format: ReturnType<typeof useFormat>, order: Order) {
  return t('order.what', { direction: t(`order.${order.direction}`), amount: format.money(order.amount) })
}
