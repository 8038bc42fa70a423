import { useRef, type RefObject } from 'react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import type { Order } from '../../../streams/index.ts'
import { durationText } from '../../features/orders/duration.ts'
import { LivePnlColumn } from '../../features/orders/LivePnlColumn.tsx'
import { pricesText, resultText } from '../../features/orders/orderLabels.ts'
import { OrderRing } from '../../features/orders/OrderRing.tsx'
import { pnlText, toneOf } from '../../features/orders/pnl.ts'
import { PnlColumn } from '../../features/orders/PnlColumn.tsx'
import { repeatOrder } from '../../features/orders/repeatOrder.ts'
import { useShownResults } from '../../features/orders/shownOutcomes.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { cx } from '../../ui/cx.ts'
import { DirectionTile, IconButton, TextLink } from '../../ui/index.ts'
import styles from './Positions.module.css'

/** An order that runs. `slim`: in one line. */
export function OpenPosition({ order, slim }: { order: Order; slim: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <a className={styles.row} href={hrefTo(paths.order, { id: order.id })}>
      <DirectionTile direction={order.direction} />
      <span className={styles.what}>
        <span className={styles.name}>{orderText(t, format, order)}</span>
        <Amount order={order} />
        <span className={styles.caption}>
          {order.entry === null ? (
            // Beside its P&L it says what it waits for.
            durationText(t, order.seconds)
          ) : (
            <>
              {format.price(order.entry.price, order.terms.priceDecimals)}
              <span className={styles.held}> · {durationText(t, order.seconds)}</span>
            </>
          )}
        </span>
      </span>
      <LivePnlColumn order={order} slim={slim} />
      <OrderRing order={order} />
    </a>
  )
}

type SettledPositionProps = {
  order: Order
  /** It has just settled: it is announced to screen readers. */
  announced: boolean
  onDismiss?: () => void
  /** The row of cards that one swipes through. */
  swiped?: RefObject<HTMLElement | null>
  /** Told whether its result is on the screen. */
  onSight?: (id: string, isInSight: boolean) => void
}

/** A settled order; a win and a loss look the same except for the colour. */
export function SettledPosition({ order, announced, onDismiss, swiped, onSight }: SettledPositionProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const result = useRef<HTMLSpanElement>(null)
  useShownResults([order], result, { swiped, onSight })
  const pnl = order.pnl === null ? undefined : moneyOf(order.pnl)
  const isRefund = order.status === 'refunded'
  return (
    <div className={styles.row} data-new={announced || undefined}>
      <DirectionTile direction={order.direction} />
      <a className={styles.what} href={hrefTo(paths.order, { id: order.id })}>
        <span className={styles.name}>{orderText(t, format, order)}</span>
        <Amount order={order} />
        <span className={cx(styles.caption, styles.prices)}>{pricesText(format, order)}</span>
      </a>
      <PnlColumn
        ref={result}
        tone={toneOf(pnl)}
        label={isRefund ? undefined : resultText(t, order)}
        value={pnlText(format, pnl)}
        announced={announced}
      >
        {isRefund && <span className={cx(styles.caption, styles.reason)}>{resultText(t, order)}</span>}
        <span className={cx(styles.caption, styles.actions)}>
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

/** In place of the order's name where that would not fit: the arrow says the direction. */
function Amount({ order }: { order: Order }) {
  return (
    <span className={styles.amount} aria-hidden="true">
      {useFormat().money(order.amount)}
    </span>
  )
}

function orderText(t: TFunction, format: ReturnType<typeof useFormat>, order: Order) {
  return t('order.what', { direction: t(`order.${order.direction}`), amount: format.money(order.amount) })
}
