import type { TFunction } from 'i18next'
import { buffer, distinct, filter, first, map, share, switchMap, throttleTime, withLatestFrom } from 'rxjs'
import type { Observable, SchedulerLike } from 'rxjs'
import { minor } from '../../../contract/brand.ts'
import { moneyOf } from '../../../contract/money.ts'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import type { Format } from '../../format.ts'
import { hrefTo, parseHash } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import type { ToastInput } from '../../ui/index.ts'
import { pnlText } from './pnl.ts'
import { resultText } from './orderLabels.ts'

/** Orders that end within this time of the first are reported together. */
export const batchMs = 1000

/**
 * Whether a page shows how an order ends: the order's own page, the product's page, and a list of closed orders whose
 * filters it passes. On a phone the list of positions only loses it.
 */
export function isResultVisible(
  hash: string,
  order: Pick<Order, 'id' | 'productId' | 'direction' | 'status'>,
  isWide: boolean,
): boolean {
  const { path, search } = parseHash(hash)
  const query = new URLSearchParams(search)
  if (path === paths.order) return query.get('id') === order.id
  if (path === paths.product) return query.get('id') === order.productId
  if (path !== paths.orders) return false
  const passes = (name: string, value: string): boolean => [null, '', value].includes(query.get(name))
  if (query.get('tab') === 'positions') return isWide
  return (
    passes('product', order.productId) &&
    passes('direction', order.direction) &&
    passes('result', order.status) &&
    query.get('date') !== 'yesterday'
  )
}

export type EndedOrdersOptions = {
  event$: Observable<Order>
  /** The current address. */
  hash: () => string
  isWide: () => boolean
  /** Whether the page is visible; emits the current state on subscription. */
  visible$: Observable<boolean>
  /** Takes orders that ended while the page was hidden; if it returns true, they are not emitted. */
  takeHidden: (orders: readonly Order[]) => boolean
  scheduler: SchedulerLike
}

/**
 * The member's orders that ended without the current page showing it. Each is emitted once, batched, and only while
 * the page is visible.
 */
export function endedOrders$(options: EndedOrdersOptions): Observable<Order[]> {
  const { event$, hash, isWide, visible$, takeHidden, scheduler } = options
  const ended$ = event$.pipe(
    filter((order) => isFinal(order.status)),
    distinct(({ id }) => id),
    map((order) => ({ order, isShown: isResultVisible(hash(), order, isWide()) })),
    share(),
  )
  const batchEnd$ = ended$.pipe(throttleTime(batchMs, scheduler, { leading: false, trailing: true }))
  const unseen$ = ended$.pipe(
    buffer(batchEnd$),
    withLatestFrom(visible$),
    map(([batch, isVisible]) =>
      !isVisible && takeHidden(batch.map(({ order }) => order))
        ? []
        : batch.filter(({ isShown }) => !isShown).map(({ order }) => order),
    ),
    filter((batch) => batch.length > 0),
    share(),
  )
  const shown$ = unseen$.pipe(switchMap(() => visible$.pipe(first(Boolean))))
  return unseen$.pipe(
    buffer(shown$),
    map((batches) => batches.flat()),
  )
}

/** The toast for ended orders: for one its result and a link to its proof, for several their number and total. */
export function endedOrdersToast(
  t: TFunction,
  format: Format,
  orders: readonly Order[],
  codeOf: (productId: string) => string,
): ToastInput | undefined {
  const [order, ...more] = orders
  if (order === undefined) return undefined
  const pnl = minor(orders.reduce((sum, ended) => sum + (ended.pnl === null ? 0 : moneyOf(ended.pnl)), 0))
  if (more.length > 0) {
    const count = orders.length
    return {
      text: t('order.endedMany', { count, pnl: pnlText(format, pnl) }),
      link: { label: t('order.toOrders'), href: hrefTo(paths.orders, { tab: 'closed' }) },
    }
  }
  const what = t('order.what', {
    direction: t(`order.${order.direction}`),
    amount: format.money(order.amount),
  })
  const textParams = {
    product: codeOf(order.productId),
    what,
    result: resultText(t, order),
    pnl: pnlText(format, pnl),
  }
  return {
    text: t('order.ended', textParams),
    link: { label: t('order.seeProof'), href: hrefTo(paths.order, { id: order.id }) },
  }
}
