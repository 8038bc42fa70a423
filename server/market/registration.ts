import { desc } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { feedGap, feedProduct, feedSource, productState } from '../db/schema/index.ts'
import { ProductsError } from '../feed/products.ts'
import type { MarketProduct } from '../feed/load.ts'
import type { LoggedProduct, RecoveredLog } from './tail-recovery.ts'
import { flushStore } from './flush-store.ts'

/** A product of the table as the log knows it from this start on. */
export type Registered = {
  product: MarketProduct
  row: LoggedProduct
  epoch: number
  /** Whether its source is still the one it first ran with: only then can its past be computed. */
  sameSource: boolean
  maintenance: { opensAt: number | null } | null
}
export type Registration = { registered: Registered[]; batch: { id: number; at: number } }

const rowsMax = 1000

/**
 * Gives every product of the table its number and the epoch of its feed, and writes the gap between the run before
 * and `now`, all in one transaction with the flush that says so.
 * @throws ProductsError where a product's scale differs from that of its log
 */
export async function register(
  db: Db,
  log: RecoveredLog,
  products: readonly MarketProduct[],
  now: number,
): Promise<Registration> {
  const known = new Map([...log.products.values()].map((row) => [row.id, row]))
  assertScales(products, known)
  const states = new Map((await db.select().from(productState)).map((row) => [row.id, row]))
  const retiredAt = (id: string): number | null => states.get(id)?.retiredAt ?? null
  const sources = await newestSources(db)
  let ix = Math.max(0, ...log.products.keys())
  const newProducts: LoggedProduct[] = []
  const newSources: (typeof feedSource.$inferInsert)[] = []
  const gaps: (typeof feedGap.$inferInsert)[] = []
  const registered = products.map((product): Registered => {
    const { id, priceDecimals, sizeDecimals } = product.settings
    const before = known.get(id)
    const row = before ?? { ix: ++ix, id, priceDecimals, sizeDecimals, firstAt: now }
    const mine = sources.get(row.ix)
    const { fingerprint, historyMs } = product.source
    const same = mine?.newest.fingerprint === fingerprint
    const epoch = same ? mine.newest.epochAt : now - historyMs
    if (!before) newProducts.push(row)
    if (!same) newSources.push({ ix: row.ix, sinceAt: now, epochAt: epoch, fingerprint })
    const state = states.get(id)
    const covered = retiredAt(id) ?? log.newest?.at
    if (before && covered !== undefined && covered < now)
      gaps.push({ ix: row.ix, fromAt: covered, toAt: now })
    return {
      product,
      row,
      epoch,
      sameSource: !before || (same && mine.count === 1),
      maintenance: state?.maintenance ? { opensAt: state.opensAt } : null,
    }
  })
  const listed = new Set(products.map((product) => product.settings.id))
  const leaving = [...known.keys()].filter((id) => !listed.has(id) && retiredAt(id) === null)
  const returning = [...listed].filter((id) => retiredAt(id) !== null)
  const batch = { id: (log.newest?.id ?? 0) + 1, at: now }
  await db.transaction(async (tx) => {
    for (const rows of slices(newProducts)) await tx.insert(feedProduct).values(rows)
    for (const rows of slices(newSources)) await tx.insert(feedSource).values(rows)
    for (const rows of slices(gaps)) await tx.insert(feedGap).values(rows)
    for (const id of leaving) await retire(tx, id, log.newest?.at ?? now)
    for (const id of returning) await retire(tx, id, null)
    await flushStore(tx).write({ ...batch, data: Buffer.alloc(0), minutes: [], gaps: [] })
  })
  return { registered, batch }
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

function* slices<T>(rows: readonly T[]): Generator<T[]> {
  for (let i = 0; i < rows.length; i += rowsMax) yield rows.slice(i, i + rowsMax)
}
