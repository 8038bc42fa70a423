import { useMemo } from 'react'
import { orderRoutes } from '../../../contract/orders.ts'
import { isNewerVersion } from '../../../contract/version.ts'
import type { Order } from '../../../streams/index.ts'
import { useList, type ListSource } from '../../hooks/useList.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { belongs, newestFirst, type OrderFilters, type OrderTab } from './list.ts'

const limit = '30'

/** One tab of the order list under filters; what it loads is also stored for offline use. */
const orderSource = (tab: OrderTab, filters: OrderFilters): ListSource<Order> => ({
  load: async (call, after, signal) => {
    const isSameMember = offlineStore.memberGuard()
    const query = { tab, limit, ...orderQueryOf(filters), ...after }
    const result = await call(orderRoutes.orders, { query }, { signal })
    if (result.ok && isSameMember()) void offlineStore.saveOrders(result.value.items, result.at)
    return result
  },
  event$: ({ orders }) => orders.event$,
  belongs: (order) => belongs(order, tab, filters),
  compare: newestFirst(tab),
  isNewer: isNewerVersion,
})

/** One tab of the order list under filters, live. `filters` must be stable: other ones start over. */
export const useOrders = (tab: OrderTab, filters: OrderFilters) =>
  useList(useMemo(() => orderSource(tab, filters), [tab, filters]))

/** Filters as query parameters: everything is text. */
export function orderQueryOf(filters: OrderFilters) {
  const { productId, direction, result, from, to } = filters
  return {
    ...(productId === undefined ? {} : { productId }),
    ...(direction === undefined ? {} : { direction }),
    ...(result === undefined ? {} : { result }),
    ...(from === undefined ? {} : { from: String(from) }),
    ...(to === undefined ? {} : { to: String(to) }),
  }
}
