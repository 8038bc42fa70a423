import { filter, type Observable, type ObservableInput } from 'rxjs'
import { isFinal, type Order } from '../../../contract/orders.ts'
import { isNewerVersion, newerVersion } from '../../../contract/version.ts'
import type { ReloadPolicy } from '../reloadPolicy.ts'
import { resource$ } from '../resource.ts'
import type { Loadable } from '../../types.ts'

const retainMs = 5000

export type OpenOrdersParts = {
  positions: () => ObservableInput<Order[]>
  order: (id: string) => ObservableInput<Order>
  /** Order events, and orders accepted by placing. */
  event$: Observable<Order>
  reloadPolicy: ReloadPolicy
}
export type OpenOrders = {
  open$: Observable<Loadable<Order[]>>
  order$: (id: string) => Observable<Loadable<Order>>
}

/** Positions and single orders. */
export function createOpenOrders({ positions, order, event$, reloadPolicy }: OpenOrdersParts): OpenOrders {
  const open$ = resource$({ fetch: positions, event$, fold: upsertOpen, reloadPolicy, retainMs })

  const singles = new Map<string, Observable<Loadable<Order>>>()
  const order$ = (id: string): Observable<Loadable<Order>> => {
    const known = singles.get(id)
    if (known) return known
    const single$ = resource$({
      fetch: () => order(id),
      event$: event$.pipe(filter((event) => event.id === id)),
      fold: newerVersion,
      reloadPolicy,
      retainMs,
      onRelease: () => singles.delete(id),
    })
    singles.set(id, single$)
    return single$
  }
  return { open$, order$ }
}

/** Inserts or updates an order by id, newest first; a newer version wins, and a final one is removed. */
export function upsertOpen(orders: Order[], order: Order): Order[] {
  const known = orders.find((other) => other.id === order.id)
  if (known && !isNewerVersion(order, known)) return orders
  const others = orders.filter((other) => other.id !== order.id)
  if (isFinal(order.status)) return known ? others : orders
  return [...others, order].sort((a, b) => b.acceptedAt - a.acceptedAt || (a.no < b.no ? 1 : -1))
}
