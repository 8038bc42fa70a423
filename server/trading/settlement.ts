import type { Pool } from 'pg'
import { settleLatestMs } from '../../contract/constants.ts'
import { entryLimit, onOwnSource, settle, stoodOf } from '../../contract/settle.ts'
import type { Gap, Settlement, SettleTick, Stood } from '../../contract/settle.ts'
import type { Db } from '../db/database.ts'
import { isRefusedByDatabase } from '../db/errors.ts'
import type { Fence } from '../db/fence.ts'
import type { OrderRow } from '../db/schema/order.ts'
import { withRetry } from '../db/retry.ts'
import type { BusinessCalendar } from '../ledger/calendar.ts'
import type { Clock, TickSource } from '../ports.ts'
import type { BookOrder, OrderBook } from './book.ts'
import { settledOrdersOf } from './readBack.ts'
import { settleOrderOf, termsOf } from './row.ts'
import { settleOrders } from './settleStatement.ts'
import type { Decided, Moved, Settled } from './settleStatement.ts'
import { Work } from './work.ts'

export type SettlementParts = {
  pool: Pool
  db: Db
  fence: Fence
  clock: Clock
  calendar: BusinessCalendar
  market: TickSource
  book: OrderBook
  /** After the commit, once per order: the final rows, and what their settlement posted. */
  onSettled: (rows: readonly OrderRow[], moved: Moved) => void
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
  /** Orders of statements that failed with an unknown outcome. */
  const unsure = new WeakSet<BookOrder>()
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
      const failed = await settleBatch(parts, unsure, due).catch((error: unknown) => {
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
async function settleBatch(
  parts: SettlementParts,
  unsure: WeakSet<BookOrder>,
  due: readonly BookOrder[],
): Promise<BookOrder[]> {
  const { clock, onError } = parts
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
  const settled = await settleDecided(parts, unsure, decided, settledAt)
  const rows: OrderRow[] = []
  const missing: BookOrder[] = []
  for (const { order, settlement } of decided) {
    const version = settled.orders.get(order.row.id)
    // Without a new version it was settled before: by a statement whose outcome was unknown, or already reported.
    if (version === undefined && unsure.has(order)) {
      missing.push(order)
      continue
    }
    parts.book.remove(order)
    if (version !== undefined) rows.push(finalRow(order.row, settlement, settledAt, version))
  }
  if (rows.length > 0) parts.onSettled(rows, settled)
  return [...failed, ...(await reportSettled(parts, missing))]
}

async function settleDecided(
  { pool, fence, calendar }: SettlementParts,
  unsure: WeakSet<BookOrder>,
  decided: readonly (Decided & { order: BookOrder })[],
  settledAt: number,
): Promise<Settled> {
  const day = calendar.dayOf(settledAt)
  try {
    return await withRetry(() => settleOrders({ pool, fence }, decided, settledAt, day))
  } catch (error) {
    if (!isRefusedByDatabase(error)) for (const { order } of decided) unsure.add(order)
    throw error
  }
}

/** Reports orders that an earlier statement settled, as the database has them; those it could not read come back. */
async function reportSettled(
  { db, book, onError, onSettled }: SettlementParts,
  missing: readonly BookOrder[],
): Promise<BookOrder[]> {
  if (missing.length === 0) return []
  try {
    const { rows, moved } = await settledOrdersOf(
      db,
      missing.map((order) => order.row.id),
    )
    const found = new Set(rows.map((row) => row.id))
    for (const order of missing) if (found.has(order.row.id)) book.remove(order)
    if (rows.length > 0) onSettled(rows, moved)
    return missing.filter((order) => !found.has(order.row.id))
  } catch (error) {
    onError(error)
    return [...missing]
  }
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
