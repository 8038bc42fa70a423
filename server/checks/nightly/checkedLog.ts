import { asc, gt, gte, min } from 'drizzle-orm'
import { priceUnits } from '../../../contract/units.ts'
import type { Head, Sha256Hex } from '../../../contract/chain.ts'
import type { Gap, SettleSource, SettleTick } from '../../../contract/settle.ts'
import type { Db } from '../../platform/db/database.ts'
import {
  feedGap,
  feedProduct,
  tickBatch,
  unpackRow,
  type BatchBlock,
  hashAfterBlock,
  type Scale,
  addTicks,
  createRuns,
  endOf,
  readSources,
} from '../../market/index.ts'
import { LogCorruptError } from '../../platform/logCorruptError.ts'

type FlushRow = typeof tickBatch.$inferSelect

/** The rows of the log that decide some orders, read from the database: it shares no reading for results with the engine. */
export type CheckedLog = {
  /** Null if the log never had this product. */
  product(id: string): CheckedProduct | null
}
export type CheckedProduct = {
  gaps: readonly Gap[]
  sources: readonly SettleSource[]
  /** Every tick with after < at ≤ until, ascending. */
  ticksIn(after: number, until: number): Promise<SettleTick[]>
}

/** The instants whose ticks are needed: from < at ≤ until. */
export type CheckedTime = { from: number; until: number }

const flushesPerRead = 200

/**
 * Reads the flushes of a time and all after it, and checks the hashes of those that were not checked before.
 * @param pause waited for after each page of rows
 * @throws LogCorruptError at the first flush that contradicts the ones before it
 */
export async function readCheckedLog(
  db: Db,
  chain: FlushChain,
  { from, until }: CheckedTime,
  pause: () => Promise<unknown>,
): Promise<CheckedLog> {
  const products = await db.select().from(feedProduct)
  const byIx = new Map(products.map((row) => [row.ix, row]))
  const ticks = new Map<number, SettleTick[]>()
  let watermarks: ReadonlyMap<number, number> = new Map()
  let newestAt = 0
  let next = await firstFlushFrom(db, Math.min(from, chain.at))
  for (;;) {
    const rows = await readFlushes(db, next)
    for (const row of rows) {
      const { blocks, watermarks: live } = unpackFlush(row)
      chain.check(row, blocks, byIx)
      for (const block of blocks) addBlock(ticks, block, { from, until })
      ;({ id: next, at: newestAt } = row)
      next += 1
      watermarks = live
    }
    if (rows.length < flushesPerRead) break
    await pause()
  }
  const sources = await readSources(db)
  const runs = createRuns(db, (ix) => byIx.get(ix)?.id ?? `product ${ix}`)
  const gapRows = await db.select().from(feedGap).where(gt(feedGap.toAt, from)).orderBy(asc(feedGap.fromAt))
  const ixOf = new Map(products.map(({ id, ix }) => [id, ix]))
  return {
    product: (id) => {
      const ix = ixOf.get(id)
      if (ix === undefined) return null
      const ended = gapRows.filter((row) => row.ix === ix)
      const open = { from: watermarks.get(ix) ?? newestAt, to: null }
      return {
        gaps: [...ended.map((row) => ({ from: row.fromAt, to: row.toAt })), open],
        sources: sources.get(ix) ?? [],
        ticksIn: async (after, until) => {
          const found: SettleTick[] = []
          let run = await runs.fromAt(ix, after)
          while (run && (run.ticks.at[0] ?? Number.POSITIVE_INFINITY) <= until) {
            addTicks(found, run.ticks, after, until)
            run = await runs.fromSeq(ix, endOf(run.ticks))
          }
          // Compacted ticks may still be in their flushes.
          const compacted = found.at(-1)?.seq ?? 0
          for (const tick of ticks.get(ix) ?? [])
            if (tick.seq > compacted && tick.at > after && tick.at <= until) found.push(tick)
          return found
        },
      }
    },
  }
}

async function firstFlushFrom(db: Db, at: number): Promise<number> {
  const [row] = await db
    .select({ id: min(tickBatch.id) })
    .from(tickBatch)
    .where(gte(tickBatch.at, at))
  return row?.id ?? 0
}

const readFlushes = (db: Db, from: number): Promise<FlushRow[]> =>
  db.select().from(tickBatch).where(gte(tickBatch.id, from)).orderBy(asc(tickBatch.id)).limit(flushesPerRead)

function addBlock(
  ticks: Map<number, SettleTick[]>,
  { ix, seq0, values }: BatchBlock,
  { from, until }: CheckedTime,
): void {
  const list = ticks.get(ix) ?? []
  ticks.set(ix, list)
  for (let i = 0; i < values.length; i += 3) {
    const at = values[i] ?? 0
    if (at > from && at <= until) list.push({ seq: seq0 + i / 3, at, price: priceUnits(values[i + 1] ?? 0) })
  }
}

function unpackFlush(row: FlushRow): ReturnType<typeof unpackRow> {
  try {
    return unpackRow(row.at, row.data)
  } catch {
    throw broken(row, 'its bytes cannot be read')
  }
}

const broken = ({ id, at }: FlushRow, why: string, productId = `flush ${id}`): LogCorruptError =>
  new LogCorruptError(productId, 0, why, { kind: 'flush', id, at })

/** The chain of the flushes that were checked so far: each is checked once, against the ones before it. */
export class FlushChain {
  readonly #sha: Sha256Hex
  readonly #heads = new Map<number, Head>()
  #newest: Pick<FlushRow, 'id' | 'at' | 'term'> | null = null
  #count = 0

  constructor(sha: Sha256Hex) {
    this.#sha = sha
  }

  /** The instant of the newest flush that was checked; +∞ before the first. */
  get at(): number {
    return this.#newest?.at ?? Number.POSITIVE_INFINITY
  }

  /** How many ticks were checked since the last call. */
  takeCount(): number {
    const count = this.#count
    this.#count = 0
    return count
  }

  /** @throws LogCorruptError */
  check(row: FlushRow, blocks: readonly BatchBlock[], products: ReadonlyMap<number, Scale>): void {
    const newest = this.#newest
    if (newest !== null && row.id <= newest.id) return
    if (newest !== null && (row.at < newest.at || row.term < newest.term))
      throw broken(row, 'it is older than the flush before it')
    // Flushes between were compacted and deleted: their chunks are checked instead.
    if (newest !== null && row.id !== newest.id + 1) this.#heads.clear()
    for (const block of blocks) this.#checkBlock(row, block, products.get(block.ix))
    this.#newest = { id: row.id, at: row.at, term: row.term }
  }

  #checkBlock(row: FlushRow, block: BatchBlock, product?: Scale): void {
    if (!product) throw broken(row, 'a product is not registered')
    const { ix, seq0, values, hash } = block
    const before = this.#heads.get(ix)
    const end = seq0 + values.length / 3 - 1
    if (before) {
      if (seq0 !== before.seq + 1) throw broken(row, 'ticks are missing', product.id)
      if (hashAfterBlock(before.hash, product, block, this.#sha) !== hash)
        throw broken(row, 'its hash differs', product.id)
      this.#count += values.length / 3
    }
    this.#heads.set(ix, { seq: end, hash })
  }
}
