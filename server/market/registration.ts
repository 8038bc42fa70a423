import { desc, max } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { feedGap, feedProduct, feedSource, productState } from '../db/schema/index.ts'
import { ProductsError } from '../feed/products.ts'
import type { MarketProduct } from '../feed/load.ts'
import type { LoggedProduct, RecoveredLog } from './tail-recovery.ts'
import { flushStore } from './flush-store.ts'
import { catchUpMaxMs } from './tick-log.ts'

/** A product of the table as the log knows it from this start on. */
export type Registered = {
  product: MarketProduct
  row: LoggedProduct
  epoch: number
  /** Ticks at or before this instant are not logged. */
  dueFrom: number
  /** Whether its source is still the one it first ran with: only then can its past be computed. */
  sameSource: boolean
  maintenance: { opensAt: number | null } | null
}
/** `newest` is the flush that the log goes on from: this start's own, or the last one of the run before. */
export type Registration = { registered: Registered[]; newest: { id: number; at: number } }

type Rows = {
  products: LoggedProduct[]
  sources: (typeof feedSource.$inferInsert)[]
  gaps: (typeof feedGap.$inferInsert)[]
}

const rowsMax = 1000

/**
 * Gives every product of the table its number and the epoch of its feed. A source that the run before had too goes on
 * where the log stands, if that is no longer ago than a feed catches up; for every other product the time between is a
 * gap. All rows are written in one transaction.
 * @throws ProductsError if a product's scale differs from that of its log
 */
export async function register(
  db: Db,
  fence: Fence,
  log: RecoveredLog,
  products: readonly MarketProduct[],
  now: number,
): Promise<Registration> {
  const known = new Map([...log.products.values()].map((row) => [row.id, row]))
  assertScales(products, known)
  const states = new Map((await db.select().from(productState)).map((row) => [row.id, row]))
  const retiredAt = (id: string): number | null => states.get(id)?.retiredAt ?? null
  const sources = await newestSources(db)
  const gapsUntil = await newestGaps(db)
  const catchesUp = log.newest !== null && now - log.newest.at <= catchUpMaxMs
  const rows: Rows = { products: [], sources: [], gaps: [] }
  let ix = Math.max(0, ...log.products.keys())
  const registered = products.map((product): Registered => {
    const { id, priceDecimals, sizeDecimals } = product.settings
    const before = known.get(id)
    const row = before ?? { ix: ++ix, id, priceDecimals, sizeDecimals, firstAt: now }
    const mine = sources.get(row.ix)
    const { fingerprint, historyMs } = product.source
    const same = mine?.newest.fingerprint === fingerprint
    const epoch = same ? mine.newest.epochAt : now - historyMs
    if (!before) rows.products.push(row)
    if (!same) rows.sources.push({ ix: row.ix, sinceAt: now, epochAt: epoch, fingerprint })
    const state = states.get(id)
    const goesOn = catchesUp && same && retiredAt(id) === null
    const gapUntil = gapsUntil.get(row.ix) ?? 0
    const covered = Math.max(gapUntil, retiredAt(id) ?? log.newest?.at ?? now)
    if (before && !goesOn && covered < now) rows.gaps.push({ ix: row.ix, fromAt: covered, toAt: now })
    return {
      product,
      row,
      epoch,
      dueFrom: goesOn ? Math.max(mine.newest.sinceAt, gapUntil) : now,
      sameSource: !before || (same && mine.count === 1),
      maintenance: state?.maintenance ? { opensAt: state.opensAt } : null,
    }
  })
  const listed = new Set(products.map((product) => product.settings.id))
  const leaving = [...known.keys()].filter((id) => !listed.has(id) && retiredAt(id) === null)
  const returning = [...listed].filter((id) => retiredAt(id) !== null)
  const newest = catchesUp && log.newest ? log.newest : { id: (log.newest?.id ?? 0) + 1, at: now }
  await fence.transaction(db, async (tx) => {
    for (const some of slices(rows.products)) await tx.insert(feedProduct).values(some)
    for (const some of slices(rows.sources)) await tx.insert(feedSource).values(some)
    for (const some of slices(rows.gaps)) await tx.insert(feedGap).values(some)
    for (const id of leaving) await retire(tx, id, log.newest?.at ?? now)
    for (const id of returning) await retire(tx, id, null)
    if (newest !== log.newest) {
      await flushStore(tx, fence).write({ ...newest, data: Buffer.alloc(0), minutes: [], gaps: [] })
    }
  })
  return { registered, newest }
}

async function retire(tx: Pick<Db, 'insert'>, id: string, retiredAt: number | null): Promise<void> {
  await tx
    .insert(productState)
    .values({ id, maintenance: false, opensAt: null, retiredAt })
    .onConflictDoUpdate({ target: productState.id, set: { retiredAt } })
}

function assertScales(products: readonly MarketProduct[], known: ReadonlyMap<string, LoggedProduct>): void {
  const faults = products.flatMap(({ settings }) => {
    const row = known.get(settings.id)
    if (!row) return []
    const { priceDecimals, sizeDecimals } = row
    return settings.priceDecimals === priceDecimals && settings.sizeDecimals === sizeDecimals
      ? []
      : [
          `product ${settings.id}: its log has priceDecimals ${priceDecimals} and sizeDecimals ${sizeDecimals}, ` +
            'and they never change',
        ]
  })
  if (faults.length > 0) throw new ProductsError(faults)
}

type Source = typeof feedSource.$inferSelect

async function newestSources(db: Db): Promise<Map<number, { newest: Source; count: number }>> {
  const sources = new Map<number, { newest: Source; count: number }>()
  for (const row of await db.select().from(feedSource).orderBy(desc(feedSource.sinceAt))) {
    const seen = sources.get(row.ix)
    if (seen) seen.count++
    else sources.set(row.ix, { newest: row, count: 1 })
  }
  return sources
}

/** Where the newest gap of each product ends. */
async function newestGaps(db: Db): Promise<Map<number, number>> {
  const rows = await db
    .select({ ix: feedGap.ix, until: max(feedGap.toAt) })
    .from(feedGap)
    .groupBy(feedGap.ix)
  return new Map(rows.map(({ ix, until }) => [ix, until ?? 0]))
}

function* slices<T>(rows: readonly T[]): Generator<T[]> {
  for (let i = 0; i < rows.length; i += rowsMax) yield rows.slice(i, i + rowsMax)
}
