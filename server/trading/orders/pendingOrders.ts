import type { SettleTick } from '../../../contract/settle.ts'
import type { OrderRow } from '../schema.ts'

/** An order that is not settled, in memory. */
export type PendingOrder = {
  row: OrderRow
  /** When it can be settled: at its close, or earlier if its source ended. */
  dueAt: number
  /** The entry from the tick log, known before it is stored. */
  entry: SettleTick | null
  /** While the log is searched for its entry, flushes are ignored: the search reads them too. */
  isSearching: boolean
}

/** The unsettled orders by product: which wait for an entry, and which are due next. */
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

  /** Call it once an order has its entry, or can no longer get one. */
  stopAwaitingEntry(order: PendingOrder): void {
    this.#awaitingEntry.get(order.row.productId)?.delete(order)
  }

  /** The instant at which a product's next order is due; undefined if it has no orders. */
  nextDueAt(productId: string): number | undefined {
    return this.#byDueAt.get(productId)?.[0]?.dueAt
  }

  /** Removes up to `limit` orders with `dueAt` ≤ instant from the queue and returns them. */
  takeDue(productId: string, instant: number, limit: number): PendingOrder[] {
    const queue = this.#byDueAt.get(productId) ?? []
    const firstLater = queue.findIndex((order) => order.dueAt > instant)
    const due = queue.splice(0, Math.min(limit, firstLater < 0 ? queue.length : firstLater))
    if (queue.length === 0) this.#byDueAt.delete(productId)
    return due
  }

  /** Puts orders whose settlement failed back into the queue. */
  requeue(orders: readonly PendingOrder[]): void {
    for (const order of orders) this.#insert(order)
  }

  remove(order: PendingOrder): void {
    this.#byId.delete(order.row.id)
    this.stopAwaitingEntry(order)
  }

  /** Most orders are due after those already queued, so the search starts at the end. */
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
  const existing = map.get(key)
  if (existing) return existing
  const created = new Set<PendingOrder>()
  map.set(key, created)
  return created
}
