import type { SettleTick } from '../../contract/settle.ts'
import type { OrderRow } from '../db/schema/order.ts'

/** An order that is not settled, as the venue keeps it at hand. */
export type BookOrder = {
  row: OrderRow
  /** When it can be decided: its close, or before that the instant at which its source ended. */
  dueAt: number
  /** The entry as the log gave it, known before it is stored. */
  entry: SettleTick | null
  /** While its past is looked up, flushes are not asked: the lookup goes first. */
  searching: boolean
}

/** The unsettled orders by product: who waits for an entry, and who closes next. */
export class OrderBook {
  readonly #byId = new Map<string, BookOrder>()
  readonly #waiting = new Map<string, Set<BookOrder>>()
  /** Ascending in `dueAt`, per product. */
  readonly #closing = new Map<string, BookOrder[]>()

  get size(): number {
    return this.#byId.size
  }

  get products(): Iterable<string> {
    return this.#closing.keys()
  }

  has(orderId: string): boolean {
    return this.#byId.has(orderId)
  }

  add(order: BookOrder): void {
    const { id, productId } = order.row
    this.#byId.set(id, order)
    if (!order.entry) setOf(this.#waiting, productId).add(order)
    this.#insert(order)
  }

  waiting(productId: string): Iterable<BookOrder> {
    return this.#waiting.get(productId) ?? []
  }

  /** An order that waits no more: it has its entry, or can have none. */
  stopWaiting(order: BookOrder): void {
    this.#waiting.get(order.row.productId)?.delete(order)
  }

  /** The instant at which a product's next order is due; undefined where it has none. */
  nextDue(productId: string): number | undefined {
    return this.#closing.get(productId)?.[0]?.dueAt
  }

  /** Takes up to `limit` orders with `dueAt` ≤ instant out of the line of those that close. */
  takeClosing(productId: string, instant: number, limit: number): BookOrder[] {
    const line = this.#closing.get(productId) ?? []
    const due = line.findIndex((order) => order.dueAt > instant)
    const taken = line.splice(0, Math.min(limit, due < 0 ? line.length : due))
    if (line.length === 0) this.#closing.delete(productId)
    return taken
  }

  /** Puts orders back into the line: their settlement failed and comes round again. */
  putBack(orders: readonly BookOrder[]): void {
    for (const order of orders) this.#insert(order)
  }

  remove(order: BookOrder): void {
    this.#byId.delete(order.row.id)
    this.stopWaiting(order)
  }

  /** Most orders close after those that are here already, so the search begins at the end. */
  #insert(order: BookOrder): void {
    const { dueAt } = order
    const { productId } = order.row
    const line = this.#closing.get(productId) ?? []
    if (line.length === 0) this.#closing.set(productId, line)
    const before = line.findLastIndex((other) => other.dueAt <= dueAt)
    line.splice(before + 1, 0, order)
  }
}

function setOf(map: Map<string, Set<BookOrder>>, key: string): Set<BookOrder> {
  const known = map.get(key)
  if (known) return known
  const fresh = new Set<BookOrder>()
  map.set(key, fresh)
  return fresh
}
