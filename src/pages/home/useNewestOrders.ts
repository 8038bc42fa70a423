import { useCallback, useEffect, useMemo, useState } from 'react'
import { orderRoutes } from '../../../contract/orders.ts'
import type { Loadable, Order } from '../../../streams/index.ts'
import { call } from '../../api/venue.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { useRequest } from '../../hooks/useRequest.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { withOrder } from '../order/list.ts'
import type { OrderTab } from '../order/list.ts'

/** The home page shows the newest few; the orders page shows them all. */
const shownOrders = 3

/** The newest orders of a tab: positions as they stream, the others fetched and then patched by every event. */
export function useNewestOrders(tab: OrderTab): { orders: Loadable<readonly Order[]>; reload: () => void } {
  const { orders } = useStreams()
  const open = useLoadable(orders.open$)
  const load = useCallback(
    async (signal: AbortSignal) => {
      const result = await call(
        orderRoutes.orders,
        { query: { tab, limit: String(shownOrders) } },
        { signal },
      )
      return result.ok ? { ...result, value: result.value.items } : result
    },
    [tab],
  )
  const { loadable, reload } = useRequest(load)
  const [events, setEvents] = useState<readonly Order[]>([])
  useEffect(() => {
    const watching = orders.event$.subscribe((order) => setEvents((before) => [...before, order].slice(-20)))
    return () => watching.unsubscribe()
  }, [orders])
  return useMemo(() => {
    if (tab === 'positions') return { orders: cut(open), reload }
    return { orders: cut(patched(loadable, events, tab)), reload }
  }, [tab, open, loadable, events, reload])
}

function patched(
  loadable: Loadable<readonly Order[]>,
  events: readonly Order[],
  tab: OrderTab,
): Loadable<readonly Order[]> {
  if (loadable.state !== 'ready') return loadable
  const value = events.reduce((list, order) => withOrder(list, order, tab, {}), loadable.value)
  return { ...loadable, value }
}

function cut(loadable: Loadable<readonly Order[]>): Loadable<readonly Order[]> {
  if (loadable.state !== 'ready') return loadable
  return { ...loadable, value: loadable.value.slice(0, shownOrders) }
}
