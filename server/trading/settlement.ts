import type { Pool } from 'pg'
import { settleLatestMs } from '../../contract/constants.ts'
import { entryLimit, onOwnSource, settle, stoodOf } from '../../contract/settle.ts'
import type { Gap, Settlement, SettleTick, Stood } from '../../contract/settle.ts'
import type { Fence } from '../db/fence.ts'
import type { OrderRow } from '../db/schema/order.ts'
import { withRetry } from '../db/retry.ts'
import type { BusinessCalendar } from '../ledger/calendar.ts'
import type { Clock, TickSource } from '../ports.ts'
import type { BookOrder, OrderBook } from './book.ts'
import { settleOrderOf, termsOf } from './row.ts'
import { settleOrders } from './settleStatement.ts'
import type { Decided, Settled } from './settleStatement.ts'
import { Work } from './work.ts'

export type SettlementParts = {
  pool: Pool
  fence: Fence
  clock: Clock
  calendar: BusinessCalendar
  market: TickSource
  book: OrderBook
  /** After the commit: the final rows of the orders that this statement closed, and what it posted. */
  onSettled: (rows: readonly OrderRow[], settled: Settled) => void
  onError: (error: unknown) => void
}

export type SettlementRunner = {
  /** Decides what is due; called after each flush, and by itself at the latest instant of an order. */
  sweep(): void
  /** Resolves when nothing is being decided. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Closed by one statement at most. */
const batchMax = 500
/** After a failure the next try waits this long, so that a sick database is not stormed 20 times a second. */
const retryMs = 1000

/**
 * Settles orders: each once its product's watermark has passed its close, or 300 s after the close whatever the
 * watermark; one whose source ended before that at once. What comes out is `settle` of the contract over the log, and nothing else goes in.
 */
export function createSettlement(parts: SettlementParts): SettlementRunner {
  const { clock, market, book, onError } = parts
  const work = new Work()
  let pausedUntil = 0
  let stopped = false
  let wakeAt = Number.POSITIVE_INFINITY
  let cancel = (): void => undefined

  const takeDue = (): BookOrder[] => {
    const due: BookOrder[] = []
    if (stopped) return due
    for (const productId of book.products) {
      const until = Math.max(market.watermark(productId), clock.now() - settleLatestMs)
      due.push(...book.takeClosing(productId, until, batchMax - due.length))
      if (due.length === batchMax) break
    }
    return due
  }

  const run = async (): Promise<void> => {
    for (let due = takeDue(); due.length > 0; due = takeDue()) {
      const failed = await settleBatch(parts, due).catch((error: unknown) => {
        onError(error)
        return due
      })
      if (failed.length === 0) continue
      book.putBack(failed)
      pausedUntil = clock.now() + retryMs
      break
    }
  }

  /** The next instant at which something must happen even if no flush comes. */
  const arm = (): void => {
    const closes = [...book.products].map((id) => book.nextDue(id) ?? Number.POSITIVE_INFINITY)
    const latest = Math.min(...closes) + settleLatestMs
    const next = pausedUntil > clock.now() ? pausedUntil : latest
    if (next === wakeAt || stopped) return
    cancel()
    wakeAt = next
    if (next === Number.POSITIVE_INFINITY) return
    cancel = clock.at(next, () => {
      wakeAt = Number.POSITIVE_INFINITY
      sweep()
      return work.idle()
    })
  }

  const sweep = (): void => {
    if (stopped || work.busy || book.size === 0 || clock.now() < pausedUntil) return
    void work.add(run()).finally(arm)
  }

  return {
    sweep,
    idle: () => work.idle(),
    stop: async () => {
      stopped = true
      cancel()
      await work.idle()
    },
  }
}

/** Decides and closes orders; the ones that could not be decided come back. */
async function settleBatch(parts: SettlementParts, due: readonly BookOrder[]): Promise<BookOrder[]> {
  const { clock, calendar, book, onError, onSettled } = parts
  const read = logReader(parts.market)
  const failed: BookOrder[] = []
  const decided: (Decided & { order: BookOrder })[] = []
  await Promise.all(
    due.map(async (order) => {
      try {
        const { settlement, stood } = await decide(read, order)
        const { id: orderId, memberId } = order.row
        decided.push({ order, orderId, memberId, settlement, stood })
      } catch (error) {
        onError(error)
        failed.push(order)
      }
    }),
  )
  if (decided.length === 0) return failed
  const settledAt = clock.now()
  const settled = await withRetry(() => settleOrders(parts, decided, settledAt, calendar.dayOf(settledAt)))
  const rows = decided.flatMap(({ order, settlement }) => {
    book.remove(order)
    // Without a new version somebody else settled it, and told its member.
    const version = settled.orders.get(order.row.id)
    return version === undefined ? [] : [finalRow(order.row, settlement, settledAt, version)]
  })
  onSettled(rows, settled)
  return failed
}

type LogReader = {
  firstTick: TickSource['firstTick']
  lastTick(id: string, until: number): Promise<SettleTick | null>
  gaps(id: string): Promise<readonly Gap[]>
  sources: TickSource['sources']
}

/** The market's log for one batch: orders that close together ask the same questions. */
function logReader(market: TickSource): LogReader {
  const known = new Map<string, Promise<unknown>>()
  const once = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const asked = known.get(key) as Promise<T> | undefined
    if (asked) return asked
    const answer = ask()
    known.set(key, answer)
    return answer
  }
  return {
    firstTick: (id, after, until) => market.firstTick(id, after, until),
    lastTick: (id, until) => once(`last ${id} ${until}`, () => market.lastTick(id, until)),
    sources: (id) => market.sources(id),
    gaps: (id) =>
      once(`gaps ${id}`, async () => {
        // What the watermark has not reached is not covered, whether or not the market calls it a gap yet.
        const open: Gap = { from: market.watermark(id), to: null }
        return [...(await market.gaps(id)), open]
      }),
  }
}

async function decide(
  log: LogReader,
  { row, entry: known }: BookOrder,
): Promise<{ settlement: Settlement; stood: Stood | null }> {
  const terms = termsOf(row)
  const order = settleOrderOf(row)
  const sources = log.sources(row.productId)
  const own = onOwnSource(terms, order, sources)
  const entry = known ?? (await log.firstTick(row.productId, row.acceptedAt, entryLimit(terms, own)))
  const exit = entry && (await log.lastTick(row.productId, own.closeAt))
  const ticks = entry && exit && exit.seq !== entry.seq ? [entry, exit] : entry ? [entry] : []
  const gaps = await log.gaps(row.productId)
  const settlement = settle(terms, order, ticks, gaps, sources)
  return { settlement, stood: stoodOf(terms, order, settlement, gaps, sources) }
}

function finalRow(row: OrderRow, settlement: Settlement, settledAt: number, version: number): OrderRow {
  const { status, reason, entry, exit, payout } = settlement
  return {
    ...row,
    status,
    reason,
    payout,
    settledAt,
    version,
    entrySeq: entry?.seq ?? null,
    entryAt: entry?.at ?? null,
    entryPrice: entry?.price ?? null,
    exitSeq: exit?.seq ?? null,
    exitAt: exit?.at ?? null,
    exitPrice: exit?.price ?? null,
  }
}
