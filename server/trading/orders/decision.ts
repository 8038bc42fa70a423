import {
  entryFrom,
  entryLimit,
  interruptedOutcomeOf,
  interruptionOf,
  onOwnSource,
  settle,
  windowFrom,
  type Gap,
  type InterruptedOutcome,
  type Settlement,
  type SettleTick,
  type Terms,
} from '../../../contract/settle.ts'
import type { TickSource } from '../../market/index.ts'
import type { PendingOrder } from './pendingOrders.ts'
import { toSettleOrder, toTerms } from './orderRow.ts'

export type LogReader = Pick<TickSource, 'firstTick' | 'lastTick' | 'ticksUntil' | 'sources'> & {
  gaps(id: string): Promise<readonly Gap[]>
}

/** The market's log for one batch, cached: orders that close together need the same reads. */
export function createLogReader(market: Omit<TickSource, 'settings' | 'onFlush'>): LogReader {
  const cache = new Map<string, Promise<unknown>>()
  const memoize = <T>(key: string, load: () => Promise<T>): Promise<T> => {
    const cached = cache.get(key) as Promise<T> | undefined
    if (cached) return cached
    const loading = load()
    cache.set(key, loading)
    return loading
  }
  return {
    firstTick: (id, after, until) => market.firstTick(id, after, until),
    lastTick: (id, until) => memoize(`last ${id} ${until}`, () => market.lastTick(id, until)),
    ticksUntil: (id, after, until, min) =>
      memoize(`ticks ${id} ${after} ${until} ${min}`, () => market.ticksUntil(id, after, until, min)),
    sources: (id) => market.sources(id),
    gaps: (id) =>
      memoize(`gaps ${id}`, async () => {
        // Time after the watermark is not covered by ticks, even if the market has not recorded a gap yet.
        const open: Gap = { from: market.watermark(id), to: null }
        return [...(await market.gaps(id)), open]
      }),
  }
}

/** Decides an order from the log: the contract's `settle`, over the ticks that the order's rule needs. */
export async function decide(
  log: LogReader,
  { row, entry: knownEntry }: Pick<PendingOrder, 'row' | 'entry'>,
): Promise<{ settlement: Settlement; interruptedOutcome: InterruptedOutcome | null }> {
  const { productId } = row
  const terms = toTerms(row)
  const order = toSettleOrder(row)
  const sources = log.sources(productId)
  const own = onOwnSource(terms, order, sources)
  const entry = knownEntry ?? (await log.firstTick(productId, entryFrom(terms, own), entryLimit(terms, own)))
  const ticks = await exitTicks(log, productId, terms, entry, own.closeAt)
  const gaps = await log.gaps(productId)
  const settlement = settle(terms, order, ticks, gaps, sources)
  const cause = interruptionOf(terms, order, settlement, gaps, sources)
  const before = cause ? await exitTicks(log, productId, terms, entry, cause.at, order.closeAt) : ticks
  const interruptedOutcome = interruptedOutcomeOf(terms, order, settlement, before, gaps, sources)
  return { settlement, interruptedOutcome }
}

/**
 * The entry, and the ticks up to an instant that decide the exit there; ascending.
 * @param closeAt where the window of rule R2 ends
 */
async function exitTicks(
  log: LogReader,
  productId: string,
  terms: Terms,
  entry: SettleTick | null,
  until: number,
  closeAt = until,
): Promise<SettleTick[]> {
  if (!entry) return []
  if (terms.rule === 'R1') {
    const exit = await log.lastTick(productId, until)
    return exit && exit.seq > entry.seq ? [entry, exit] : [entry]
  }
  const ticks = await log.ticksUntil(
    productId,
    windowFrom(terms, { closeAt }),
    Math.min(until, closeAt),
    terms.exitMinTicks,
  )
  return ticks.some(({ seq }) => seq === entry.seq) ? ticks : [entry, ...ticks].sort((a, b) => a.seq - b.seq)
}
