import type { Direction, Order } from '../../../contract/orders.ts'
import { isFinal } from '../../../contract/orders.ts'
import type { FinalStatus } from '../../../contract/settle.ts'

export const orderTabs = ['records', 'positions', 'closed'] as const
export type OrderTab = (typeof orderTabs)[number]

/** The filters of a list; an absent one filters nothing. Instants are inclusive. */
export type OrderFilters = {
  productId?: string
  direction?: Direction
  result?: FinalStatus
  from?: number
  to?: number
}

/** The instant a tab sorts and groups by: for closed orders the close, otherwise the placement. */
export const listedAt = (order: Order, tab: OrderTab): number =>
  tab === 'closed' ? (order.settledAt ?? order.closeAt) : order.acceptedAt

/** Whether an order belongs to a tab under these filters: the venue's own rule, for orders from events. */
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
 * Applies an order from an event to a list, newest first: replaces it if its version is newer, removes it if it no
 * longer belongs. Returns the same list if nothing changes.
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

/** Joins two pages. An order already received from an event is not duplicated, and the newer version stays. */
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
