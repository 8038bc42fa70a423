import { isFinal, type Direction, type Order } from '../../../contract/orders.ts'
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

/** The instant a tab sorts, groups and filters by, as the venue does: for closed orders the settlement, otherwise the placement. */
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

/** The order in which the venue lists a tab. */
export const newestFirst =
  (tab: OrderTab) =>
  (a: Order, b: Order): number =>
    listedAt(b, tab) - listedAt(a, tab) || (a.id < b.id ? 1 : -1)
