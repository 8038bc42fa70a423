import type { Direction, Order } from '../../../contract/orders.ts'
import { isFinal } from '../../../contract/orders.ts'
import type { FinalStatus } from '../../../contract/settle.ts'

export const orderTabs = ['records', 'positions', 'closed'] as const
export type OrderTab = (typeof orderTabs)[number]

/** What a member narrows the list to; an absent part filters nothing. Instants are inclusive. */
export type OrderFilters = {
  productId?: string
  direction?: Direction
  result?: FinalStatus
  from?: number
  to?: number
}

/** What a tab is ordered and dated by: closed orders go by when they closed, all others by when they were placed. */
export const listedAt = (order: Order, tab: OrderTab): number =>
  tab === 'closed' ? (order.settledAt ?? order.closeAt) : order.acceptedAt

/** Whether an order stands in a tab under these filters: the venue's own rule, for orders that events bring. */
export function belongs(order: Order, tab: OrderTab, filters: OrderFilters): boolean {
  const final = isFinal(order.status)
  if (tab === 'positions' ? final : tab === 'closed' && !final) return false
  const { productId, direction, result, from, to } = filters
  const at = listedAt(order, tab)
  return (
    (productId === undefined || order.productId === productId) &&
    (direction === undefined || order.direction === direction) &&
    (result === undefined || order.status === result) &&
    (from === undefined || at >= from) &&
    (to === undefined || at <= to)
  )
}

/**
 * A list with an event's order put in, newest first: replaced where its version is newer, taken out where it no
 * longer belongs. The same list comes back where nothing changes.
 */
export function withOrder(
  list: readonly Order[],
  order: Order,
  tab: OrderTab,
  filters: OrderFilters,
): readonly Order[] {
  const known = list.find(({ id }) => id === order.id)
  if (known !== undefined && known.version >= order.version) return list
  const others = known === undefined ? list : list.filter(({ id }) => id !== order.id)
  if (!belongs(order, tab, filters)) return others
  return [...others, order].sort(newestFirst(tab))
}

/** Two pages joined; an order that events had already brought is not doubled, and its newer version stays. */
export function mergePages(list: readonly Order[], page: readonly Order[], tab: OrderTab): readonly Order[] {
  const byId = new Map(list.map((order) => [order.id, order]))
  for (const order of page) {
    const known = byId.get(order.id)
    if (known === undefined || known.version < order.version) byId.set(order.id, order)
  }
  return [...byId.values()].sort(newestFirst(tab))
}

/** The order in which the venue lists a tab. */
export const newestFirst =
  (tab: OrderTab) =>
  (a: Order, b: Order): number =>
    listedAt(b, tab) - listedAt(a, tab) || (a.id < b.id ? 1 : -1)

/** Orders under the day that their tab dates them by; `dayOf` names the day of an instant. */
export function groupByDay(
  orders: readonly Order[],
  dayOf: (at: number) => string,
  tab: OrderTab,
): { day: string; orders: Order[] }[] {
  const days: { day: string; orders: Order[] }[] = []
  for (const order of orders) {
    const day = dayOf(listedAt(order, tab))
    const lastDay = days.at(-1)
    if (lastDay?.day === day) lastDay.orders.push(order)
    else days.push({ day, orders: [order] })
  }
  return days
}
