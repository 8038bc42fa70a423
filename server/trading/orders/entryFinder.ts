import { priceUnits } from '../../../contract/units.ts'
import { entryFrom, entryLimit, type SettleTick } from '../../../contract/settle.ts'
import type { Flush, TickBlock, TickSource } from '../../market/index.ts'
import { EntryWriter, type EntryWriterParts } from './entryWriter.ts'
import type { PendingOrder } from './pendingOrders.ts'
import { toTerms } from './orderRow.ts'
import { TaskTracker } from '../../platform/taskTracker.ts'

export type EntryFinderParts = EntryWriterParts & { market: TickSource }

/** Finds the entry of each accepted order: the first tick after it was accepted (by rule R2 after its delay), as soon as that tick is committed. */
export type EntryFinder = {
  /** Starts looking for the entry of an order that was just added to the pending orders. */
  watch(order: PendingOrder): void
  onFlush(flush: Flush): void
  /** Resolves when no search or save is in progress. */
  idle(): Promise<void>
}

export function createEntryFinder(parts: EntryFinderParts): EntryFinder {
  const { market, pendingOrders, onError } = parts
  const writer = new EntryWriter(parts)
  const searches = new TaskTracker()

  const recordEntry = (order: PendingOrder, entry: SettleTick): void => {
    order.entry = entry
    pendingOrders.stopAwaitingEntry(order)
    writer.add(order)
  }

  /** Searches the ticks committed between acceptance and now, including those flushed during the search. */
  const searchLog = async (order: PendingOrder): Promise<void> => {
    const { productId } = order.row
    const lastAt = lastEntryAt(order)
    let searchedTo = firstEntryAfter(order)
    try {
      while (searchedTo < Math.min(lastAt, market.watermark(productId))) {
        const until = Math.min(lastAt, market.watermark(productId))
        const entry = await market.firstTick(productId, searchedTo, until)
        if (entry) return recordEntry(order, entry)
        searchedTo = until
      }
    } catch (error) {
      // Without an entry the order stays `accepted` until it is settled, which reads the log again.
      onError(error)
    } finally {
      order.isSearching = false
    }
  }

  return {
    watch: (order) => {
      if (order.entry || market.watermark(order.row.productId) <= firstEntryAfter(order)) return
      order.isSearching = true
      void searches.add(searchLog(order))
    },
    onFlush: ({ blocks }) => {
      for (const block of blocks) {
        for (const order of pendingOrders.waiting(block.id)) {
          if (order.isSearching) continue
          const entry = firstTickIn(block, firstEntryAfter(order), lastEntryAt(order))
          if (entry) recordEntry(order, entry)
          else if (market.watermark(block.id) >= lastEntryAt(order)) pendingOrders.stopAwaitingEntry(order)
        }
      }
      writer.saveUnsaved()
    },
    idle: async () => {
      await searches.idle()
      await writer.idle()
    },
  }
}

/** The instant after which a tick can be the entry. */
const firstEntryAfter = ({ row }: PendingOrder): number => entryFrom(toTerms(row), row)

/** The last instant at which an entry counts; ticks of another source never do. */
const lastEntryAt = ({ row, dueAt }: PendingOrder): number =>
  entryLimit(toTerms(row), { acceptedAt: row.acceptedAt, closeAt: dueAt })

/** The first tick of a block with after < at ≤ until. */
function firstTickIn({ values, seq0 }: TickBlock, after: number, until: number): SettleTick | null {
  for (let i = 0; i + 2 < values.length; i += 3) {
    const at = values[i] ?? 0
    if (at > until) return null
    if (at > after) return { seq: seq0 + i / 3, at, price: priceUnits(values[i + 1] ?? 0) }
  }
  return null
}
