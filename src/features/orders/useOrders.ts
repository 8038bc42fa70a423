import { useCallback, useEffect, useReducer, useRef } from 'react'
import { assertNever } from '../../../contract/brand.ts'
import { orderRoutes } from '../../../contract/orders.ts'
import type { Failure, Order } from '../../../streams/index.ts'
import { call } from '../../api/venue.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { onRefresh } from '../../state/refresh.ts'
import type { OrderFilters, OrderTab } from './list.ts'
import { mergePages, withOrder } from './list.ts'

const pageSize = 30

export type OrdersState = {
  orders: readonly Order[]
  /** Undefined before the first page, null at the end. */
  cursor: string | null | undefined
  loading: boolean
  failure: Failure | undefined
}
type Action =
  | { kind: 'requested' }
  | { kind: 'page'; items: readonly Order[]; cursor: string | null; fresh: boolean; tab: OrderTab }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'event'; order: Order; tab: OrderTab; filters: OrderFilters }

const empty: OrdersState = { orders: [], cursor: undefined, loading: true, failure: undefined }

/** The reducer of one list: pages append, events patch. */
export function reduceOrders(state: OrdersState, action: Action): OrdersState {
  switch (action.kind) {
    case 'requested':
      return { ...state, loading: true, failure: undefined }
    case 'page': {
      const orders = mergePages(action.fresh ? [] : state.orders, action.items, action.tab)
      return { orders, cursor: action.cursor, loading: false, failure: undefined }
    }
    case 'failed':
      return { ...state, loading: false, failure: action.failure }
    case 'event': {
      const orders = withOrder(state.orders, action.order, action.tab, action.filters)
      return orders === state.orders ? state : { ...state, orders }
    }
    default:
      return assertNever(action)
  }
}

/**
 * One tab of the order list under filters: page by page, patched by events, and fetched again after each reconnect.
 * `filters` must be stable; new filters need a new list, so give the calling component a key.
 */
export function useOrders(tab: OrderTab, filters: OrderFilters) {
  const { orders: streams, connection$ } = useStreams()
  const [state, dispatch] = useReducer(reduceOrders, empty)
  const currentRequest = useRef<AbortController>(undefined)

  const load = useCallback(
    async (cursor: string | undefined) => {
      currentRequest.current?.abort()
      const controller = new AbortController()
      currentRequest.current = controller
      dispatch({ kind: 'requested' })
      const query = {
        tab,
        limit: String(pageSize),
        ...orderQueryOf(filters),
        ...(cursor === undefined ? {} : { cursor }),
      }
      const isSameMember = offlineStore.memberGuard()
      const result = await call(orderRoutes.orders, { query }, { signal: controller.signal })
      if (controller.signal.aborted) return
      if (!result.ok) dispatch({ kind: 'failed', failure: result.failure })
      else {
        const { items, nextCursor } = result.value
        if (isSameMember()) void offlineStore.saveOrders(items, result.at)
        dispatch({ kind: 'page', items, cursor: nextCursor, fresh: cursor === undefined, tab })
      }
    },
    [tab, filters],
  )
  useEffect(() => {
    const events = streams.event$.subscribe((order) => dispatch({ kind: 'event', order, tab, filters }))
    let wasOnline = false
    const connection = connection$.subscribe(({ state }) => {
      const isOnline = state === 'online'
      // Events are not replayed: changes while the socket was down are only in a new first page.
      if (isOnline && !wasOnline) void load(undefined)
      wasOnline = isOnline
    })
    const unsubscribeRefresh = onRefresh(() => void load(undefined))
    return () => {
      unsubscribeRefresh()
      events.unsubscribe()
      connection.unsubscribe()
      currentRequest.current?.abort()
    }
  }, [streams, connection$, load, tab, filters])

  const more = useCallback(() => {
    if (!state.loading && typeof state.cursor === 'string') void load(state.cursor)
  }, [load, state.cursor, state.loading])
  const retry = useCallback(() => void load(state.cursor ?? undefined), [load, state.cursor])
  return { ...state, more, retry }
}

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
