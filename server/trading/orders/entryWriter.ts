import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import { isRejectedByDatabase } from '../../platform/db/errors.ts'
import { withRetry } from '../../platform/db/retry.ts'
import type { Fence } from '../../platform/db/fence.ts'
import type { OrderRow } from '../schema.ts'
import type { PendingOrder, PendingOrders } from './pendingOrders.ts'
import { readOpenOrders } from './readBack.ts'
import { storeEntries } from './settleStatement.ts'
import { TaskTracker } from '../../platform/taskTracker.ts'

export type EntryWriterParts = {
  pool: Pool
  db: Db
  fence: Fence
  pendingOrders: PendingOrders
  onOpened: (row: OrderRow) => void
  onError: (error: unknown) => void
}

/** Entries stored by one statement at most. */
const saveBatchMax = 500

/** Stores the entries of pending orders, those of one turn of the event loop together. */
export class EntryWriter {
  readonly #parts: EntryWriterParts
  readonly #unsaved = new Map<string, PendingOrder>()
  /** Orders of statements that failed with unknown outcome. */
  readonly #unknownOutcome = new WeakSet<PendingOrder>()
  readonly #saving = new TaskTracker()

  constructor(parts: EntryWriterParts) {
    this.#parts = parts
  }

  /** Adds an order that has an entry. */
  add(order: PendingOrder): void {
    this.#unsaved.set(order.row.id, order)
    this.saveUnsaved()
  }

  /** Also stores again what an earlier statement failed to store. */
  saveUnsaved(): void {
    if (this.#unsaved.size > 0 && !this.#saving.isBusy) void this.#saving.add(this.#save())
  }

  /** Resolves when nothing is being saved. */
  async idle(): Promise<void> {
    await this.#saving.idle()
  }

  async #save(): Promise<void> {
    try {
      // In the next turn, so that all entries of one flush are stored together.
      await Promise.resolve()
      while (this.#unsaved.size > 0) await this.#saveBatch()
    } catch (error) {
      // The entries stay in the queue and are stored with the next flush's; settling does not wait for them.
      this.#parts.onError(error)
    }
  }

  async #saveBatch(): Promise<void> {
    const batch = [...this.#unsaved.values()].slice(0, saveBatchMax)
    const versions = await this.#store(batch.filter((order) => this.#parts.pendingOrders.has(order.row.id)))
    const missing: PendingOrder[] = []
    for (const order of batch) {
      const version = versions.get(order.row.id)
      if (version === undefined && this.#unknownOutcome.has(order)) {
        missing.push(order)
        continue
      }
      this.#unsaved.delete(order.row.id)
      if (version === undefined || !order.entry) continue
      const { seq, at, price } = order.entry
      const entry = { entrySeq: seq, entryAt: at, entryPrice: price }
      this.#markOpened(order, { ...order.row, status: 'open', ...entry, version })
    }
    await this.#reportStored(missing)
  }

  /** The new versions of the orders that were stored. */
  async #store(open: readonly PendingOrder[]): Promise<ReadonlyMap<string, number>> {
    const { pool, fence } = this.#parts
    const entries = open.flatMap(({ row, entry }) => (entry ? [{ orderId: row.id, entry }] : []))
    return withRetry(() => storeEntries({ pool, fence }, entries)).catch((error: unknown) => {
      if (!isRejectedByDatabase(error)) for (const order of open) this.#unknownOutcome.add(order)
      throw error
    })
  }

  #markOpened(order: PendingOrder, row: OrderRow): void {
    if (!this.#parts.pendingOrders.has(row.id)) return
    order.row = row
    this.#parts.onOpened(row)
  }

  /** Reports entries that an earlier statement stored, as the database has them. */
  async #reportStored(orders: readonly PendingOrder[]): Promise<void> {
    const rows = await readOpenOrders(
      this.#parts.db,
      orders.map((order) => order.row.id),
    )
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    for (const order of orders) {
      this.#unsaved.delete(order.row.id)
      const row = rowOf.get(order.row.id)
      if (row) this.#markOpened(order, row)
    }
  }
}
