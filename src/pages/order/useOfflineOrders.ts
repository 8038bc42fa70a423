import { useCallback } from 'react'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import type { OfflineCopyState, ReadOfflineCopy } from '../../hooks/useOfflineCopy.ts'
import { useOfflineCopy } from '../../hooks/useOfflineCopy.ts'
import { useReportStaleData } from '../../shell/staleData.ts'
import type { OfflineCopy } from '../../state/offlineStore.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { belongs, newestFirst } from './list.ts'
import type { OrderFilters, OrderTab } from './list.ts'

/** Looks up the orders of a tab as this device saw them last. */
export function useOfflineOrdersReader(tab: OrderTab, filters: OrderFilters): ReadOfflineCopy<Order[]> {
  return useCallback(async () => {
    const offlineOrders = await offlineStore.orders()
    return offlineOrders && offlineOrderList(offlineOrders, tab, filters)
  }, [tab, filters])
}

/** What {@link useOfflineOrdersReader} finds, while it is `wanted`; the page then says from when that is. */
export function useOfflineOrders(
  tab: OrderTab,
  filters: OrderFilters,
  wanted: boolean,
): OfflineCopyState<Order[]> | undefined {
  const found = useOfflineCopy(useOfflineOrdersReader(tab, filters), wanted)
  useReportStaleData(found?.state === 'found' ? found.at : undefined)
  return found
}

/** A tab's orders, and from when the list is: since then one that still ran may have ended, a final one has not changed. */
export function offlineOrderList(
  offlineOrders: readonly OfflineCopy<Order>[],
  tab: OrderTab,
  filters: OrderFilters,
): OfflineCopy<Order[]> | undefined {
  const newest = Math.max(...offlineOrders.map(({ at }) => at))
  if (offlineOrders.length === 0) return undefined
  const matching = offlineOrders.filter(({ value }) => belongs(value, tab, filters))
  const running = matching.filter(({ value }) => !isFinal(value.status)).map(({ at }) => at)
  return {
    value: matching.map(({ value }) => value).sort(newestFirst(tab)),
    at: Math.min(newest, ...running),
  }
}
