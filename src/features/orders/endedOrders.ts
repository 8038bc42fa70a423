import type { TFunction } from 'i18next'
import {
  EMPTY,
  buffer,
  concatMap,
  connect,
  filter,
  first,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  share,
  switchMap,
  throttleTime,
  withLatestFrom,
  type Observable,
  type ObservableInput,
  type SchedulerLike,
} from 'rxjs'
import type { EndedOrder, Order } from '../../../streams/index.ts'
import type { Format } from '../../text/format.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import type { ToastInput } from '../../ui/index.ts'
import { pnlText, totalPnl } from './pnl.ts'
import { outcomeText } from './orderLabels.ts'
import { togetherMs } from './together.ts'

export type EndedOrdersOptions = {
  /** The orders that ended so far, each once. */
  ended$: Observable<readonly EndedOrder[]>
  /** Whether the page shows how an order ended, by its id. */
  isShown: (id: string) => boolean
  /** Emits once the page shows more of them. */
  shown$: Observable<unknown>
  /** Whether the page is visible; emits the current state on subscription. */
  visible$: Observable<boolean>
  /** Takes orders that ended while the page was hidden; if it returns true, they are not emitted. */
  takeHidden: (orders: readonly Order[]) => boolean
  /** Marks orders as reported, by id, and returns those that no other tab has reported. */
  take: (ids: readonly string[]) => ObservableInput<readonly string[]>
  scheduler: SchedulerLike
}

/**
 * The member's orders that ended without the page showing it. Each is emitted once, in one tab, batched, and only while
 * the page is visible. Results that the page shows count as reported.
 */
export function endedOrders$(options: EndedOrdersOptions): Observable<Order[]> {
  const { ended$, isShown, shown$, visible$, takeHidden, take, scheduler } = options
  const noted = new Set<string>()
  const untold = new Set<string>()
  const end = (ids: readonly string[]): void => ids.forEach((id) => untold.delete(id))
  const newsOf = (all: readonly EndedOrder[]): Order[] => {
    const news = all.flatMap(({ order }) => (noted.has(order.id) ? [] : [order]))
    for (const { id } of news) {
      noted.add(id)
      untold.add(id)
    }
    return news
  }
  // At once, so that no other tab tells it meanwhile.
  const toldByPage$ = (news$: Observable<Order>): Observable<never> =>
    merge(news$, shown$).pipe(
      withLatestFrom(visible$),
      mergeMap(([, isVisible]) => {
        const ids = isVisible ? [...untold].filter(isShown) : []
        end(ids)
        return ids.length === 0 ? EMPTY : from(take(ids)).pipe(ignoreElements())
      }),
    )
  const toldByToast$ = (news$: Observable<Order>): Observable<Order[]> => {
    const batchEnd$ = news$.pipe(throttleTime(togetherMs, scheduler, { leading: false, trailing: true }))
    const waiting$ = news$.pipe(
      buffer(batchEnd$),
      withLatestFrom(visible$),
      filter(([batch, isVisible]) => {
        const isTaken = !isVisible && takeHidden(batch)
        if (isTaken) end(idsOf(batch))
        return !isTaken
      }),
      map(([batch]) => batch),
      share(),
    )
    const visibleAgain$ = waiting$.pipe(switchMap(() => visible$.pipe(first(Boolean))))
    return waiting$.pipe(
      buffer(visibleAgain$),
      map((batches) => batches.flat()),
      concatMap((ended) => {
        const left = idsOf(ended).filter((id) => untold.has(id))
        if (left.length === 0) return EMPTY
        end(left)
        const unshown = ended.filter(({ id }) => !isShown(id))
        return from(take(left)).pipe(map((ids) => unshown.filter(({ id }) => ids.includes(id))))
      }),
      filter((orders) => orders.length > 0),
    )
  }
  return ended$.pipe(
    mergeMap(newsOf),
    // Both listen before the first one comes: what ended before the subscription comes with it.
    connect((news$) => merge(toldByPage$(news$), toldByToast$(news$))),
  )
}

const idsOf = (orders: readonly Order[]): string[] => orders.map(({ id }) => id)

/** The toast for ended orders: for one its result and a link to its proof, for several their number and total. */
export function endedOrdersToast(
  t: TFunction,
  format: Format,
  orders: readonly Order[],
  codeOf: (productId: string) => string,
): ToastInput | undefined {
  const [order, ...more] = orders
  if (order === undefined) return undefined
  if (more.length > 0) {
    const count = orders.length
    return {
      text: t('order.endedMany', { count, pnl: pnlText(format, totalPnl(orders)) }),
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
    outcome: outcomeText(t, format, order),
  }
  return {
    text: t('order.ended', textParams),
    link: { label: t('order.seeProof'), href: hrefTo(paths.order, { id: order.id }) },
  }
}
