import { useCallback } from 'react'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import type { KeptState, ReadKept } from '../../hooks/useKept.ts'
import { useKept } from '../../hooks/useKept.ts'
import { useAsOf } from '../../shell/asOf.ts'
import type { Kept } from '../../state/offline.ts'
import { offline } from '../../state/offlineMember.ts'
import { belongs, newestFirst } from './list.ts'
import type { OrderFilters, OrderTab } from './list.ts'

/** Looks up the orders of a tab as this device saw them last. */
export function useReadOrders(tab: OrderTab, filters: OrderFilters): ReadKept<Order[]> {
  return useCallback(async () => {
    const kept = await offline.orders()
    return kept && keptList(kept, tab, filters)
  }, [tab, filters])
}

/** What {@link useReadOrders} finds, while it is `wanted`; the page then says from when that is. */
export function useKeptOrders(
  tab: OrderTab,
  filters: OrderFilters,
  wanted: boolean,
): KeptState<Order[]> | undefined {
  const found = useKept(useReadOrders(tab, filters), wanted)
  useAsOf(found?.state === 'kept' ? found.at : undefined)
  return found
}

/** A tab's orders, and from when the list is: since then one that still ran may have ended, a final one has not changed. */
export function keptList(
  kept: readonly Kept<Order>[],
  tab: OrderTab,
  filters: OrderFilters,
): Kept<Order[]> | undefined {
  const newest = Math.max(...kept.map(({ at }) => at))
  if (kept.length === 0) return undefined
  const shown = kept.filter(({ value }) => belongs(value, tab, filters))
  const running = shown.filter(({ value }) => !isFinal(value.status)).map(({ at }) => at)
  return { value: shown.map(({ value }) => value).sort(newestFirst(tab)), at: Math.min(newest, ...running) }
}
