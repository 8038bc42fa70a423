import { asc, max } from 'drizzle-orm'
import type { Source } from '../../contract/products.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { feedGap, feedProduct, feedSource, productState } from '../db/schema/index.ts'
import { ProductsError } from '../feed/products.ts'
import type { MarketProduct } from '../feed/loadProducts.ts'
import type { LoggedProduct, RecoveredLog } from './tailRecovery.ts'
import { createFlushStore } from './flushStore.ts'
import { catchUpMaxMs } from './gapDetector.ts'

/** A product of the table as the log knows it from this start on. */
export type RegisteredProduct = {
  product: MarketProduct
  row: LoggedProduct
  epoch: number
  /** Ticks at or before this instant are not logged. */
  dueFrom: number
  /** Every source it ever had, oldest first; the last one is that of this start. */
  sources: readonly Source[]
  maintenance: { opensAt: number | null } | null
}
/** `newest` is the flush that the log goes on from: this start's own, or the last one of the run before. */
export type Registration = {
  registered: RegisteredProduct[]
  newest: { id: number; at: number }
  /** Whether the time since `newest` is caught up with. */
  catchesUp: boolean
}

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
export async function registerProducts(
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
  const earlier = await readSources(db)
  const gapsUntil = await readNewestGapEnds(db)
  const catchesUp = log.newest !== null && now - log.newest.at <= catchUpMaxMs
  const rows: Rows = { products: [], sources: [], gaps: [] }
  let ix = Math.max(0, ...log.products.keys())
  const registered = products.map((product): RegisteredProduct => {
    const { id, priceDecimals, sizeDecimals } = product.settings
    const before = known.get(id)
    const row = before ?? { ix: ++ix, id, priceDecimals, sizeDecimals, firstAt: now }
    const { fingerprint, label, historyMs } = product.source
    const ownSources = earlier.get(row.ix) ?? []
    const newest = ownSources.at(-1)
    const isSameSource = newest?.fingerprint === fingerprint
    const epoch = isSameSource ? newest.epoch : now - historyMs
    if (!before) rows.products.push(row)
    const state = states.get(id)
    const continuesLog = catchesUp && isSameSource && retiredAt(id) === null
    const gapUntil = gapsUntil.get(row.ix) ?? 0
    const coveredUntil = Math.max(gapUntil, retiredAt(id) ?? log.newest?.at ?? now)
    // Another source begins where the one before it ended, however long the venue was away in between: it decides no
    // order that was still open then.
    const sinceAt = newest ? Math.max(coveredUntil, newest.sinceAt + 1) : now
    if (!isSameSource) rows.sources.push({ ix: row.ix, sinceAt, epochAt: epoch, fingerprint, label })
    if (before && !continuesLog && coveredUntil < now)
      rows.gaps.push({ ix: row.ix, fromAt: coveredUntil, toAt: now })
    return {
      product,
      row,
      epoch,
      dueFrom: continuesLog ? Math.max(newest.sinceAt, gapUntil) : now,
      sources: isSameSource
        ? [...ownSources.slice(0, -1), { ...newest, text: label }]
        : [...ownSources, { sinceAt, fingerprint, epoch, text: label }],
      maintenance: state?.maintenance ? { opensAt: state.opensAt } : null,
    }
  })
  const listed = new Set(products.map((product) => product.settings.id))
  const leaving = [...known.keys()].filter((id) => !listed.has(id) && retiredAt(id) === null)
  const returning = [...listed].filter((id) => retiredAt(id) !== null)
  const newest = catchesUp && log.newest ? log.newest : { id: (log.newest?.id ?? 0) + 1, at: now }
  await fence.transaction(db, async (tx) => {
    for (const slice of slices(rows.products)) await tx.insert(feedProduct).values(slice)
    for (const slice of slices(rows.sources)) await tx.insert(feedSource).values(slice)
    for (const slice of slices(rows.gaps)) await tx.insert(feedGap).values(slice)
    for (const id of leaving) await writeRetiredAt(tx, id, log.newest?.at ?? now)
    for (const id of returning) await writeRetiredAt(tx, id, null)
    if (newest !== log.newest) {
      await createFlushStore(tx, fence).write({ ...newest, data: Buffer.alloc(0), minutes: [], gaps: [] })
    }
  })
  return { registered, newest, catchesUp }
}

async function writeRetiredAt(tx: Pick<Db, 'insert'>, id: string, retiredAt: number | null): Promise<void> {
  await tx
    .insert(productState)
    .values({ id, maintenance: false, opensAt: null, retiredAt })
    .onConflictDoUpdate({ target: productState.id, set: { retiredAt } })
}

function assertScales(products: readonly MarketProduct[], known: ReadonlyMap<string, LoggedProduct>): void {
  const violations = products.flatMap(({ settings }) => {
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
  if (violations.length > 0) throw new ProductsError(violations)
}

/** The sources that each product had, by its number, oldest first. */
async function readSources(db: Db): Promise<Map<number, Source[]>> {
  const sources = new Map<number, Source[]>()
  for (const { ix, sinceAt, fingerprint, epochAt, label } of await db
    .select()
    .from(feedSource)
    .orderBy(asc(feedSource.sinceAt))) {
    const source = { sinceAt, fingerprint, epoch: epochAt, text: label }
    const list = sources.get(ix)
    if (list) list.push(source)
    else sources.set(ix, [source])
  }
  return sources
}

/** Where the newest gap of each product ends. */
async function readNewestGapEnds(db: Db): Promise<Map<number, number>> {
  const rows = await db
    .select({ ix: feedGap.ix, until: max(feedGap.toAt) })
    .from(feedGap)
    .groupBy(feedGap.ix)
  return new Map(rows.map(({ ix, until }) => [ix, until ?? 0]))
}

function* slices<T>(rows: readonly T[]): Generator<T[]> {
  for (let i = 0; i < rows.length; i += rowsMax) yield rows.slice(i, i + rowsMax)
}
