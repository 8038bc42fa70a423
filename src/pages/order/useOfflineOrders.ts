import { useCallback } from 'react'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import { useOfflineCopy, type OfflineCopyState, type ReadOfflineCopy } from '../../hooks/useOfflineCopy.ts'
import { useReportStaleData } from '../../shell/staleData.ts'
import type { OfflineCopy } from '../../state/offlineStore.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { belongs, newestFirst, type OrderFilters, type OrderTab } from '../../features/orders/list.ts'

/** Reads the orders of a tab from the offline copies on this device. */
export function useOfflineOrdersReader(tab: OrderTab, filters: OrderFilters): ReadOfflineCopy<Order[]> {
  return useCallback(async () => {
    const offlineOrders = await offlineStore.orders()
    return offlineOrders && offlineOrderList(offlineOrders, tab, filters)
  }, [tab, filters])
}

/** The result of {@link useOfflineOrdersReader} while `isWanted`; the page then shows how old the data is. */
export function useOfflineOrders(
  tab: OrderTab,
  filters: OrderFilters,
  isWanted: boolean,
): OfflineCopyState<Order[]> | undefined {
  const offlineCopy = useOfflineCopy(useOfflineOrdersReader(tab, filters), isWanted)
  useReportStaleData(offlineCopy?.state === 'found' ? offlineCopy.at : undefined)
  return offlineCopy
}

/**
 * A tab's orders and the age of the list: an open order may have ended since it was stored, a final one cannot have
 * changed.
 */
export function offlineOrderList(
  offlineOrders: readonly OfflineCopy<Order>[],
  tab: OrderTab,
  filters: OrderFilters,
): OfflineCopy<Order[]> | undefined {
  const newest = Math.max(...offlineOrders.map(({ at }) => at))
  if (offlineOrders.length === 0) return undefined
  const matching = offlineOrders.filter(({ value }) => belongs(value, tab, filters))
  const openOrderTimes = matching.filter(({ value }) => !isFinal(value.status)).map(({ at }) => at)
  return {
    value: matching.map(({ value }) => value).sort(newestFirst(tab)),
    at: Math.min(newest, ...openOrderTimes),
  }
}
