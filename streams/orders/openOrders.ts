import { merge } from 'rxjs'
import type { Observable, ObservableInput, SchedulerLike } from 'rxjs'
import { filter, finalize } from 'rxjs'
import type { Order } from '../../contract/orders.ts'
import { isFinal } from '../../contract/orders.ts'
import { loadable$ } from '../operators/loadable.ts'
import { perAccount } from '../operators/perAccount.ts'
import { shareWithGrace } from '../operators/shareWithGrace.ts'
import { snapshotThen } from '../operators/snapshotThen.ts'
import type { Loadable } from '../types.ts'

const retainMs = 5000

export type OpenOrdersParts = {
  positions: () => ObservableInput<Order[]>
  order: (id: string) => ObservableInput<Order>
  /** Order events, and orders accepted by placing. */
  event$: Observable<Order>
  up$: Observable<boolean>
  /** Another session has taken over. */
  account$: Observable<unknown>
  resume$: Observable<unknown>
  scheduler: SchedulerLike
}
export type OpenOrders = {
  open$: Observable<Loadable<Order[]>>
  order$: (id: string) => Observable<Loadable<Order>>
}

/** Positions and single orders: fetched after each connect and resume, updated by events. */
export function createOpenOrders(parts: OpenOrdersParts): OpenOrders {
  const { event$, account$, scheduler } = parts
  // Account events are not replayed: every connect starts from a new snapshot.
  const reload$ = merge(parts.up$.pipe(filter((up, index) => up || index === 0)), parts.resume$)
  const down$ = parts.up$.pipe(filter((up) => !up))
  const positions = (): Observable<Order[]> => snapshotThen(parts.positions, event$, upsertOpen)
  const open$ = perAccount(account$, () => loadable$(reload$, positions, down$, scheduler)).pipe(
    shareWithGrace(retainMs, scheduler),
  )

  const singles = new Map<string, Observable<Loadable<Order>>>()
  const order$ = (id: string): Observable<Loadable<Order>> => {
    const known = singles.get(id)
    if (known) return known
    const own$ = event$.pipe(filter((order) => order.id === id))
    const single = (): Observable<Order> => snapshotThen(() => parts.order(id), own$, newerOrder)
    const shared$ = perAccount(account$, () => loadable$(reload$, single, down$, scheduler)).pipe(
      finalize(() => singles.delete(id)),
      shareWithGrace(retainMs, scheduler),
    )
    singles.set(id, shared$)
    return shared$
  }
  return { open$, order$ }
}

/** Inserts or updates an order by id, newest first; a newer version wins, and a final one is removed. */
export function upsertOpen(orders: Order[], order: Order): Order[] {
  const known = orders.find((other) => other.id === order.id)
  if (known && known.version >= order.version) return orders
  const others = orders.filter((other) => other.id !== order.id)
  if (isFinal(order.status)) return known ? others : orders
  return [...others, order].sort((a, b) => b.acceptedAt - a.acceptedAt || (a.no < b.no ? 1 : -1))
}

export const newerOrder = (current: Order, event: Order): Order =>
  event.version > current.version ? event : current
