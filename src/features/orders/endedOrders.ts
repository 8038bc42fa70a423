import type { TFunction } from 'i18next'
import { buffer, distinct, filter, first, share, switchMap, throttleTime } from 'rxjs'
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

/** Whether a page shows how an order ends: the order's own page, the list of orders, and the product's page. */
export function isResultVisible(hash: string, order: Pick<Order, 'id' | 'productId'>): boolean {
  const { path, search } = parseHash(hash)
  const id = new URLSearchParams(search).get('id')
  if (path === paths.order) return id === order.id
  return path === paths.orders || (path === paths.product && id === order.productId)
}

export type EndedOrdersOptions = {
  event$: Observable<Order>
  /** The current address. */
  hash: () => string
  /** Whether the page is visible; emits the current state on subscription. */
  visible$: Observable<boolean>
  scheduler: SchedulerLike
}

/**
 * The member's orders that ended without the current page showing it. Each is emitted once, batched, and only while
 * the page is visible.
 */
export function endedOrders$({ event$, hash, visible$, scheduler }: EndedOrdersOptions): Observable<Order[]> {
  const unseen$ = event$.pipe(
    filter((order) => isFinal(order.status)),
    distinct(({ id }) => id),
    filter((order) => !isResultVisible(hash(), order)),
    share(),
  )
  const batchEnd$ = unseen$.pipe(
    throttleTime(batchMs, scheduler, { leading: false, trailing: true }),
    switchMap(() => visible$.pipe(first(Boolean))),
  )
  return unseen$.pipe(buffer(batchEnd$))
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
