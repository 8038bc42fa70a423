import type { SettleTick } from '../../contract/settle.ts'
import type { OrderRow } from '../db/schema/order.ts'

/** An order that is not settled, as the venue keeps it at hand. */
export type PendingOrder = {
  row: OrderRow
  /** When it can be decided: its close, or before that the instant at which its source ended. */
  dueAt: number
  /** The entry as the log gave it, known before it is stored. */
  entry: SettleTick | null
  /** While its past is looked up, flushes are not asked: the lookup goes first. */
  isSearching: boolean
}

/** The unsettled orders by product: who waits for an entry, and who closes next. */
export class PendingOrders {
  readonly #byId = new Map<string, PendingOrder>()
  readonly #awaitingEntry = new Map<string, Set<PendingOrder>>()
  /** Ascending in `dueAt`, per product. */
  readonly #byDueAt = new Map<string, PendingOrder[]>()

  get size(): number {
    return this.#byId.size
  }

  get productIds(): Iterable<string> {
    return this.#byDueAt.keys()
  }

  has(orderId: string): boolean {
    return this.#byId.has(orderId)
  }

  add(order: PendingOrder): void {
    const { id, productId } = order.row
    this.#byId.set(id, order)
    if (!order.entry) getOrCreateSet(this.#awaitingEntry, productId).add(order)
    this.#insert(order)
  }

  waiting(productId: string): Iterable<PendingOrder> {
    return this.#awaitingEntry.get(productId) ?? []
  }

  /** An order that waits no more: it has its entry, or can have none. */
  stopAwaitingEntry(order: PendingOrder): void {
    this.#awaitingEntry.get(order.row.productId)?.delete(order)
  }

  /** The instant at which a product's next order is due; undefined where it has none. */
  nextDueAt(productId: string): number | undefined {
    return this.#byDueAt.get(productId)?.[0]?.dueAt
  }

  /** Takes up to `limit` orders with `dueAt` ≤ instant out of the line of those that close. */
  takeDue(productId: string, instant: number, limit: number): PendingOrder[] {
    const queue = this.#byDueAt.get(productId) ?? []
    const due = queue.findIndex((order) => order.dueAt > instant)
    const taken = queue.splice(0, Math.min(limit, due < 0 ? queue.length : due))
    if (queue.length === 0) this.#byDueAt.delete(productId)
    return taken
  }

  /** Puts orders back into the line: their settlement failed and comes round again. */
  requeue(orders: readonly PendingOrder[]): void {
    for (const order of orders) this.#insert(order)
  }

  remove(order: PendingOrder): void {
    this.#byId.delete(order.row.id)
    this.stopAwaitingEntry(order)
  }

  /** Most orders close after those that are here already, so the search begins at the end. */
  #insert(order: PendingOrder): void {
    const { dueAt } = order
    const { productId } = order.row
    const queue = this.#byDueAt.get(productId) ?? []
    if (queue.length === 0) this.#byDueAt.set(productId, queue)
    const before = queue.findLastIndex((other) => other.dueAt <= dueAt)
    queue.splice(before + 1, 0, order)
  }
}

function getOrCreateSet(map: Map<string, Set<PendingOrder>>, key: string): Set<PendingOrder> {
  const known = map.get(key)
  if (known) return known
  const fresh = new Set<PendingOrder>()
  map.set(key, fresh)
  return fresh
}
