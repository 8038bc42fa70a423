import { useLayoutEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { isFinal } from '../../../contract/orders.ts'
import type { EndedOrder, Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { cx } from '../../ui/cx.ts'
import { DirectionTile, IconButton, TextLink } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { OrderRing } from '../../features/orders/OrderRing.tsx'
import { LivePnlColumn } from '../../features/orders/LivePnlColumn.tsx'
import { newestFirst } from '../../features/orders/list.ts'
import { pnlText, toneOf } from '../../features/orders/pnl.ts'
import { PnlColumn } from '../../features/orders/PnlColumn.tsx'
import { repeatOrder } from '../../features/orders/repeatOrder.ts'
import { useShownResults } from '../../features/orders/shownOutcomes.ts'
import { useOrders } from '../../features/orders/useOrders.ts'
import { pricesText, resultText } from '../../features/orders/orderLabels.ts'
import { durationText } from '../../features/orders/duration.ts'
import styles from './Positions.module.css'
import { ResultLine } from './ResultLine.tsx'

export type PositionsProps = {
  /** Undefined until loaded. */
  open: readonly Order[] | undefined
  /** Of what ended since the page was opened, those with a card, newest first. */
  cards: readonly EndedOrder[]
  /** Those of the cards that are new. */
  fresh: readonly EndedOrder[]
  /** Of what ended since then, all that are shown together with the newest, newest first. */
  newest: readonly EndedOrder[]
  onDismiss: (id: string) => void
  /** There is space for an empty state and for orders that closed before. */
  wide: boolean
  /** The heading has the practice badge: the ticket, which has it otherwise, is not shown. */
  badged: boolean
}

/**
 * The member's orders on this product: each card turns into its result in place, and stays until the next order. On a
 * phone what runs comes into sight again after a moment, and a line beside the heading shows the result.
 */
export function Positions({ open, cards, fresh, newest, onDismiss, wide, badged }: PositionsProps) {
  const running = useMemo(() => runningOf(open ?? [], cards), [open, cards])
  const rows = useMemo(
    () => [...running, ...cards.map(({ order }) => order)].sort(newestFirst('positions')),
    [running, cards],
  )
  const list = useRef<HTMLUListElement>(null)
  useScrollToRunning(list, running[0], fresh.length > 0)
  const isLoaded = open !== undefined
  if (rows.length === 0 && !wide) return null
  const line = !wide && running.length > 0 && <ResultLine newest={fresh.length > 0 ? noResults : newest} />
  return (
    <Section {...{ wide, badged, line, isLoaded, running: running.length, hasRows: rows.length > 0 }}>
      {wide && rows.length > 0 && <PositionHeads />}
      {rows.length > 0 && (
        <ul ref={list} className={styles.cards} data-many={rows.length > 1 || undefined}>
          {rows.map((order) => (
            <li key={order.id} className={styles.card} data-order={order.id}>
              {isFinal(order.status) ? (
                <SettledPosition
                  order={order}
                  announced
                  {...(wide ? {} : { list, onDismiss: () => onDismiss(order.id) })}
                />
              ) : (
                <OpenPosition order={order} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Of the columns, on a desk: there the rows are a table. Each row says the same to screen readers. */
function PositionHeads() {
  const { t } = useTranslation()
  return (
    <div className={styles.columns} aria-hidden="true">
      <span className={styles.amountHead}>{t('order.amount')}</span>
      <span>{t('order.pnl')}</span>
      <span className={styles.timeHead}>{t('order.timeLeft')}</span>
    </div>
  )
}

/** The list may still have an order whose result is known. */
const runningOf = (open: readonly Order[], cards: readonly EndedOrder[]): readonly Order[] =>
  open.filter(({ id }) => cards.every(({ order }) => order.id !== id))

const noResults: readonly EndedOrder[] = []

/** The newest order that runs is in sight: once it is placed, and when no result is new any more. */
function useScrollToRunning(
  list: RefObject<HTMLElement | null>,
  newest: Order | undefined,
  hasFresh: boolean,
): void {
  const { id, acceptedAt = 0 } = newest ?? {}
  const seen = useRef(0)
  useLayoutEffect(() => {
    const isNew = acceptedAt > seen.current
    seen.current = Math.max(seen.current, acceptedAt)
    if (hasFresh && !isNew) return
    const row = list.current
    const [card, first] = [row?.querySelector(`[data-order="${id}"]`), row?.firstElementChild]
    if (row && card instanceof HTMLElement && first instanceof HTMLElement)
      row.scrollTo({ left: card.offsetLeft - first.offsetLeft })
  }, [list, id, acceptedAt, hasFresh])
}

type SectionProps = Pick<PositionsProps, 'wide' | 'badged'> & {
  /** How many orders run. */
  running: number
  hasRows: boolean
  isLoaded: boolean
  /** Beside the heading. */
  line: ReactNode
  children: ReactNode
}

/** The heading counts what runs; results alone have one of their own. */
function Section({ wide, badged, running, hasRows, isLoaded, line, children }: SectionProps) {
  const { t } = useTranslation()
  const isEnded = running === 0 && hasRows
  const isResults = isEnded && !wide
  return (
    <section
      className={styles.positions}
      data-wide={wide || undefined}
      aria-label={t(isResults ? 'orders.recentClosed' : 'product.positions')}
    >
      <div className={styles.head}>
        <h2 className={styles.title}>
          {isResults ? (
            t('orders.recentClosed')
          ) : (
            <>
              {t(wide && !isEnded ? 'product.openPositions' : 'product.positions')}{' '}
              {!isEnded && <span className={styles.count}>{isLoaded ? running : '\u2007'}</span>}
            </>
          )}{' '}
          {badged && hasRows && <PracticeBadge />}
        </h2>
        {line}
        <TextLink href={hrefTo(paths.orders, { tab: isResults ? 'closed' : 'positions' })} caret={!wide}>
          {t(wide ? 'product.viewAll' : 'product.all')}
        </TextLink>
      </div>
      {hasRows ? (
        children
      ) : (
        // In its final size until the orders are loaded.
        <p className={styles.none}>{isLoaded ? t('home.noPositions') : '\u00a0'}</p>
      )}
    </section>
  )
}

const recentMax = 3

/** Orders on a product that closed, without those whose `cards` are among the positions. */
export function RecentlyClosed({
  productId,
  cards,
  badged,
}: Pick<PositionsProps, 'cards' | 'badged'> & { productId: string }) {
  const { t } = useTranslation()
  const filters = useMemo(() => ({ productId }), [productId])
  const { items } = useOrders('closed', filters)
  const shown = items.filter(({ id }) => cards.every(({ order }) => order.id !== id)).slice(0, recentMax)
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
            <SettledPosition order={order} announced={false} />
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

/** A settled order; a win and a loss look the same except for the colour. */
function SettledPosition({
  order,
  announced,
  onDismiss,
  list,
}: {
  order: Order
  /** It has just settled: it is announced to screen readers. */
  announced: boolean
  onDismiss?: () => void
  /** The cards that the member swipes through: all count as shown while they are on the screen. */
  list?: RefObject<HTMLUListElement | null>
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const row = useRef<HTMLDivElement>(null)
  useShownResults([order], list ?? row)
  const pnl = order.pnl === null ? undefined : moneyOf(order.pnl)
  const isRefund = order.status === 'refunded'
  return (
    <div ref={row} className={styles.row} data-new={announced || undefined}>
      <DirectionTile direction={order.direction} />
      <a className={styles.what} href={hrefTo(paths.order, { id: order.id })}>
        <span className={styles.name}>{orderText(t, format, order)}</span>
        <span className={cx(styles.caption, styles.prices)}>{pricesText(format, order)}</span>
      </a>
      <PnlColumn
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

function orderText(t: TFunction, format: ReturnType<typeof useFormat>, order: Order) {
  return t('order.what', { direction: t(`order.${order.direction}`), amount: format.money(order.amount) })
}
