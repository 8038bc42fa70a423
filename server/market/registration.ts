import { asc, max } from 'drizzle-orm'
import type { Source } from '../../contract/products.ts'
import type { Db, DbTransaction } from '../platform/db/database.ts'
import type { Fence } from '../platform/db/fence.ts'
import { feedGap, feedProduct, feedSource, productState, productTerms } from './schema.ts'
import { ProductsError } from './feed/products.ts'
import type { MarketProduct } from './feed/loadProducts.ts'
import type { LoggedProduct, RecoveredLog } from './log/tailRecovery.ts'
import { createFlushStore } from './log/flushStore.ts'
import { catchUpMaxMs } from './log/gapDetector.ts'
import { readChangedTerms } from './productTerms.ts'

/** A product of the table, registered in the log for this run. */
export type RegisteredProduct = {
  product: MarketProduct
  row: LoggedProduct
  epoch: number
  /** Ticks at or before this instant are not logged. */
  dueFrom: number
  /** Every source it ever had, oldest first; the last one is the source of this run. */
  sources: readonly Source[]
  maintenance: { opensAt: number | null } | null
}
export type Registration = {
  registered: RegisteredProduct[]
  /** The flush after which the log continues: the first one of this run, or the last one of the previous run. */
  newest: { id: number; at: number }
  /** Whether the log catches up with the time since `newest`. */
  isCatchingUp: boolean
}

type Rows = {
  products: LoggedProduct[]
  sources: (typeof feedSource.$inferInsert)[]
  gaps: (typeof feedGap.$inferInsert)[]
  terms: (typeof productTerms.$inferInsert)[]
}

type RegistrationParts = {
  db: Db
  fence: Fence
  log: RecoveredLog
  now: number
  /** The live products of which this process has received everything since the log's end. */
  received: ReadonlySet<string>
}

const rowsMax = 1000

/**
 * Assigns every product of the table its number and the epoch of its feed. If the source is the same as in the previous
 * run and the pause is short enough to catch up, the log continues where it ended; for every other product, and for every
 * live one that was not received meanwhile, the time in between is a gap. From now on orders have the terms of this table. All
 * rows are written in one transaction.
 * @throws ProductsError if a product's scale differs from that of its log
 */
export async function registerProducts(
  { db, fence, log, now, received }: RegistrationParts,
  products: readonly MarketProduct[],
): Promise<Registration> {
  const logged = new Map([...log.products.values()].map((row) => [row.id, row]))
  assertScales(products, logged)
  const [storedStates, earlier, gapsUntil, terms] = await Promise.all([
    db.select().from(productState),
    readSources(db),
    readNewestGapEnds(db),
    readChangedTerms(db, products, now),
  ])
  const states = new Map(storedStates.map((row) => [row.id, row]))
  const retiredAt = (id: string): number | null => states.get(id)?.retiredAt ?? null
  const isCatchingUp = log.newest !== null && now - log.newest.at <= catchUpMaxMs
  const rows: Rows = { products: [], sources: [], gaps: [], terms }
  let ix = Math.max(0, ...log.products.keys())
  const registered = products.map((product): RegisteredProduct => {
    const { id, priceDecimals, sizeDecimals } = product.settings
    const before = logged.get(id)
    const row = before ?? { ix: ++ix, id, priceDecimals, sizeDecimals, firstAt: now }
    const { kind, fingerprint, label } = product.source
    const historyMs = product.source.kind === 'live' ? 0 : product.source.historyMs
    const ownSources = earlier.get(row.ix) ?? []
    const newest = ownSources.at(-1)
    const isSameSource = newest?.fingerprint === fingerprint
    const epoch = isSameSource ? newest.epoch : now - historyMs
    if (!before) rows.products.push(row)
    const state = states.get(id)
    const isReceived = kind !== 'live' || received.has(id)
    const continuesLog = isCatchingUp && isSameSource && retiredAt(id) === null && isReceived
    const gapUntil = gapsUntil.get(row.ix) ?? 0
    const coveredUntil = Math.max(gapUntil, retiredAt(id) ?? watermarkOf(log, row.ix) ?? now)
    const continuedFrom = kind === 'live' ? coveredUntil : gapUntil
    // A new source starts where the one before it ended, however long the venue was down in between: it settles no
    // order that was still open then.
    const sinceAt = newest ? Math.max(coveredUntil, newest.sinceAt + 1) : now
    if (!isSameSource) rows.sources.push({ ix: row.ix, sinceAt, epochAt: epoch, fingerprint, label })
    if (before && !continuesLog && coveredUntil < now)
      rows.gaps.push({ ix: row.ix, fromAt: coveredUntil, toAt: now })
    return {
      product,
      row,
      epoch,
      dueFrom: continuesLog ? Math.max(newest.sinceAt, continuedFrom) : Math.max(now, coveredUntil),
      sources: isSameSource
        ? [...ownSources.slice(0, -1), { ...newest, text: label }]
        : [...ownSources, { sinceAt, fingerprint, epoch, text: label }],
      maintenance: state?.maintenance ? { opensAt: state.opensAt } : null,
    }
  })
  const listed = new Set(products.map((product) => product.settings.id))
  const leaving = [...logged.keys()].filter((id) => !listed.has(id) && retiredAt(id) === null)
  const returning = [...listed].filter((id) => retiredAt(id) !== null)
  const newest = isCatchingUp && log.newest ? log.newest : { id: (log.newest?.id ?? 0) + 1, at: now }
  const isContinued = newest === log.newest
  const isUnchanged = [...Object.values(rows), leaving, returning].every((changes) => changes.length === 0)
  // A take-over has nothing to register.
  if (isContinued && isUnchanged) return { registered, newest, isCatchingUp }
  const retiring = leaving.map((id) => ({ id, at: watermarkOf(log, logged.get(id)?.ix ?? 0) ?? now }))
  await fence.transaction(db, async (tx) => {
    // Before the gaps: one may begin before the newest flush only if its product comes back.
    for (const id of returning) await writeRetiredAt(tx, id, null)
    await writeRows(tx, rows)
    for (const { id, at } of retiring) await writeRetiredAt(tx, id, at)
    if (!isContinued)
      await createFlushStore(tx, fence).write({ ...newest, data: Buffer.alloc(0), minutes: [], gaps: [] })
  })
  return { registered, newest, isCatchingUp }
}

async function writeRows(tx: Pick<Db, 'insert'>, { products, sources, gaps, terms }: Rows): Promise<void> {
  for (const slice of slices(products)) await tx.insert(feedProduct).values(slice)
  for (const slice of slices(sources)) await tx.insert(feedSource).values(slice)
  for (const slice of slices(gaps)) await tx.insert(feedGap).values(slice)
  for (const slice of slices(terms)) await tx.insert(productTerms).values(slice)
}

/** Until when the earlier runs covered a product; undefined if there were none. */
const watermarkOf = ({ newest, watermarks }: RecoveredLog, ix: number): number | undefined =>
  watermarks.get(ix) ?? newest?.at

async function writeRetiredAt(tx: Pick<Db, 'insert'>, id: string, retiredAt: number | null): Promise<void> {
  await tx
    .insert(productState)
    .values({ id, maintenance: false, opensAt: null, retiredAt })
    .onConflictDoUpdate({ target: productState.id, set: { retiredAt } })
}

function assertScales(products: readonly MarketProduct[], logged: ReadonlyMap<string, LoggedProduct>): void {
  const violations = products.flatMap(({ settings }) => {
    const row = logged.get(settings.id)
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

/**
 * The products as the leader has registered them, for a node that writes nothing.
 * @throws SourceDiffersError if the leader has another product table
 */
export async function readRegistration(
  db: Db | DbTransaction,
  log: RecoveredLog,
  products: readonly MarketProduct[],
): Promise<RegisteredProduct[]> {
  const logged = new Map([...log.products.values()].map((row) => [row.id, row]))
  assertScales(products, logged)
  const states = new Map((await db.select().from(productState)).map((row) => [row.id, row]))
  const allSources = await readSources(db)
  return products.map((product): RegisteredProduct => {
    const { id } = product.settings
    const row = logged.get(id)
    const state = states.get(id)
    const sources = (row && allSources.get(row.ix)) ?? []
    const newest = sources.at(-1)
    if (!row || newest?.fingerprint !== product.source.fingerprint || (state && state.retiredAt !== null))
      throw new SourceDiffersError(id)
    return {
      product,
      row,
      epoch: newest.epoch,
      dueFrom: watermarkOf(log, row.ix) ?? row.firstAt,
      sources: [...sources.slice(0, -1), { ...newest, text: product.source.label }],
      maintenance: state?.maintenance ? { opensAt: state.opensAt } : null,
    }
  })
}

/** The leader has not registered a product, or has it with another source. */
export class SourceDiffersError extends Error {
  override readonly name = 'SourceDiffersError'
  constructor(productId: string) {
    super(`the leader does not have product ${productId} with the source of this node's product table`)
  }
}

/** The sources of each product by its number, oldest first. */
export async function readSources(db: Db | DbTransaction): Promise<Map<number, Source[]>> {
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

/** The end of the newest gap of each product. */
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
