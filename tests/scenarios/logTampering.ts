import { hash } from 'node:crypto'
import { Subject } from 'rxjs'
import { sql } from 'drizzle-orm'
import { priceUnits, epochMs } from '../../contract/units.ts'
import { genesis, linkHash, type Head, type WireTick } from '../../contract/chain.ts'
import { fillOf, wireExitOf } from '../../contract/fills.ts'
import { moneyOf, formatMoney } from '../../contract/money.ts'
import type { Order } from '../../contract/orders.ts'
import { formatUnits, parsePrice } from '../../contract/price.ts'
import { toRestTick } from '../../contract/products.ts'
import { settle } from '../../contract/settle.ts'
import type { FeedEvent } from '../../contract/socket.ts'
import { openMemoryDatabase } from '../../server/platform/db/open.ts'
import type { Db } from '../../server/platform/db/database.ts'
import { verifyLog } from '../../server/market/log/verifyLog.ts'
import { unpackBatch, type BatchBlock } from '../../server/market/log/batch.ts'
import { checkProof } from '../../src/proof/check.ts'
import type { CompleteProof } from '../../src/proof/completeProof.ts'
import { createSeenHeads } from '../../streams/prices/seenHeads.ts'
import { manualClock } from '../support/manualClock.ts'
import { findings, type Findings } from './findings.ts'
import { openMarket, syntheticProduct } from '../support/marketFixtures.ts'
import { seededRandom } from '../support/random.ts'
import { sampleOrder } from '../support/sampleOrder.ts'

const sha = (text: string): string => hash('sha256', text)

/** A field of the stored log whose bytes can be changed, and where the check must then report it. */
type StoredField = {
  bytes: number
  /** SQL that changes the byte at `at` by `mask`; the same statement again restores it. */
  flip: (at: number, mask: number) => string
  /** Names under which a violation here may be reported, and the last tick at which it may be reported. */
  names: readonly string[]
  untilSeq: number
  /** The flush's id: its changed bytes may claim later ticks than it has; then the violation is where those are missing. */
  flush?: number
}

const bytea = (table: string, where: string, column: string) => (at: number, mask: number) =>
  `UPDATE ${table} SET ${column} = set_byte(${column}, ${at}, get_byte(${column}, ${at}) # ${mask}) WHERE ${where}`
/** Changes only the low six bytes of an integer: higher ones exceed the safe integers of JavaScript. */
const integer = (table: string, where: string, column: string) => (at: number, mask: number) =>
  `UPDATE ${table} SET ${column} = ${column} # (${mask}::bigint << ${8 * at}) WHERE ${where}`
const integerBytes = 6

/** All fields of ticks, instants, numbers and hashes that the log stores. */
async function storedFields(db: Db): Promise<StoredField[]> {
  const chunks = await db.execute<{ ix: number; id: string; seq0: number; seq1: number; bytes: number }>(sql`
    SELECT c.ix, p.id, c.seq0, c.seq1, octet_length(c.data) AS bytes FROM tick_chunk c JOIN feed_product p USING (ix)`)
  const fields = chunks.rows.flatMap(({ ix, id, seq0, seq1, bytes }): StoredField[] => {
    const where = `ix = ${ix} AND seq1 = ${seq1}`
    const at = { names: [id], untilSeq: seq1 + 1 }
    const whole = { bytes: integerBytes, ...at }
    return [
      { bytes, flip: bytea('tick_chunk', where, 'data'), ...at },
      { bytes: 32, flip: bytea('tick_chunk', where, 'hash_before'), ...at },
      { bytes: 32, flip: bytea('tick_chunk', where, 'hash_after'), ...at },
      { flip: integer('tick_chunk', where, 'at0'), ...whole },
      { flip: integer('tick_chunk', where, 'at1'), ...whole },
      { flip: integer('tick_chunk', `ix = ${ix} AND seq0 = ${seq0}`, 'seq1'), ...whole },
    ]
  })
  const ids = await db.execute<{ ix: number; id: string }>(sql`SELECT ix, id FROM feed_product`)
  const idOf = new Map(ids.rows.map(({ ix, id }) => [ix, id]))
  const batches = await db.execute<{ id: number; at: number; data: Buffer }>(
    sql`SELECT id, at, data FROM tick_batch WHERE octet_length(data) > 0 ORDER BY id`,
  )
  for (const { id, at: watermark, data } of batches.rows) {
    const blocks = unpackBatch(watermark, data)
    const names = [`flush ${id}`, ...blocks.map(({ ix }) => idOf.get(ix) ?? '')]
    const at = { names, untilSeq: lastSeq(blocks) + 1, flush: id }
    fields.push(
      { bytes: data.length, flip: bytea('tick_batch', `id = ${id}`, 'data'), ...at },
      { bytes: integerBytes, flip: integer('tick_batch', `id = ${id}`, 'at'), ...at },
    )
  }
  return fields
}

const lastSeq = (blocks: readonly BatchBlock[]): number =>
  Math.max(...blocks.map(({ seq0, values }) => seq0 + values.length / 3 - 1))

/** The last tick that a flush claims to have as it is stored now; 0 if its bytes cannot be read. */
async function lastClaimedSeq(db: Db, flush: number): Promise<number> {
  const { rows } = await db.execute<{ at: number; data: Buffer }>(
    sql`SELECT at, data FROM tick_batch WHERE id = ${flush}`,
  )
  try {
    return lastSeq(rows.flatMap(({ at, data }) => unpackBatch(at, data)))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return 0
  }
}

/** Changes one byte of a stored log at a time, each time in another field: the log's check must name it. */
export async function driveBitFlips(seed: number, times: number): Promise<Findings & { bytes: number }> {
  const { found, expect } = findings()
  const random = seededRandom(seed)
  const database = await openMemoryDatabase()
  const { db } = database
  const clock = manualClock()
  try {
    const market = await openMarket(
      db,
      clock,
      [syntheticProduct('BUSY', 400), syntheticProduct('CALM', 3, 2)],
      {
        everyMs: 1000,
      },
    )
    market.start()
    await clock.advance(11_500)
    await market.stop()
    expect(
      (await verifyLog(db, sha)).violations.length === 0,
      () => `seed ${seed}: the log is corrupt before any change`,
    )
    for (const table of ['tick_chunk', 'tick_batch']) {
      await db.execute(sql.raw(`ALTER TABLE ${table} DISABLE TRIGGER USER`))
    }
    const fields = await storedFields(db)
    const bytes = fields.reduce((sum, field) => sum + field.bytes, 0)
    for (let i = 0; i < times; i++) {
      let at = Math.floor(random.next() * bytes)
      const field = fields.find((each) => (at -= each.bytes) < 0)
      if (!field) throw new Error('no field at this offset')
      const flip = sql.raw(field.flip(at + field.bytes, 1 + Math.floor(random.next() * 255)))
      await db.execute(flip)
      const { violations } = await verifyLog(db, sha)
      const untilSeq = Math.max(
        field.untilSeq,
        field.flush === undefined ? 0 : await lastClaimedSeq(db, field.flush),
      )
      const isNamed = violations.some(({ productId, fromSeq }) => {
        // If the product's number itself was changed, the log has no name for it.
        const isKnownName = field.names.includes(productId) || /^product \d+$/.test(productId)
        return isKnownName && fromSeq <= untilSeq
      })
      expect(
        isNamed,
        () => `seed ${seed}: not named: ${field.flip(at + field.bytes, 0)}: ${violations.join()}`,
      )
      await db.execute(flip)
    }
    expect((await verifyLog(db, sha)).violations.length === 0, () => `seed ${seed}: the log is not restored`)
    return { ...found, bytes }
  } finally {
    await database.close()
  }
}

const id = 'BUSY'
const priceDecimals = 2

/** What a client saw live: the log's ticks, and the heads from `feed` events. */
async function observeLog() {
  const database = await openMemoryDatabase()
  const clock = manualClock()
  const feed = new Subject<FeedEvent>()
  const heads = createSeenHeads(feed)
  try {
    const market = await openMarket(database.db, clock, [syntheticProduct(id, 40)], { everyMs: 500 })
    market.start()
    for (let second = 0; second < 90; second++) {
      await clock.advance(1000)
      const watermark = epochMs(market.watermark(id))
      const feedState = { watermark, status: market.feedStatus(id), ...market.head(id) }
      feed.next({ at: epochMs(clock.now()), p: { [id]: feedState } })
    }
    await market.stop()
    const { ticks } = await market.ticksAfter(id, 0, 5000)
    return { ticks, seen: heads.seen(id) }
  } finally {
    heads.close()
    await database.close()
  }
}

/**
 * Simulates a venue that rewrites its log from some tick on, hashes it again and settles by it. A client that saw a later
 * head live must reject its proofs, although each is consistent in itself.
 */
export async function driveRewrites(seed: number, times: number): Promise<Findings> {
  const { found, expect } = findings()
  const random = seededRandom(seed)
  const { ticks, seen } = await observeLog()
  const between = (from: number, to: number): number => from + Math.floor(random.next() * (to - from))
  for (let i = 0; i < times; i++) {
    const first = between(10, ticks.length - 900)
    const last = between(first + 100, first + 800)
    const acceptedAt = (ticks[first]?.[1] ?? 0) - 1
    const seconds = Math.max(1, Math.floor(((ticks[last]?.[1] ?? 0) - acceptedAt) / 1000))
    const closeAt = acceptedAt + seconds * 1000
    const from = first - 3
    const span = { from, to: last + 4, acceptedAt, seconds, closeAt }
    const honest = await checkProof(
      proofOf(ticks, span),
      { agreed: null, heads: seen },
      async () => undefined,
    )
    expect(honest.ok && honest.chain.ok && honest.chain.seen > 0, () => `seed ${seed}: an honest proof fails`)
    const head = seen.findLast(({ seq }) => seq <= last + 4)
    if (!head) throw new Error(`seed ${seed}: no head was seen within the order`)
    // Start at a tick that a head seen within the order covers.
    const changedAt = between(from, head.seq)
    const rewritten = ticks.map((tick, n): WireTick =>
      n < changedAt ? tick : withPriceChange(tick, between(1, 50)),
    )
    const proof = proofOf(rewritten, span)
    const blind = await checkProof(proof, { agreed: null, heads: [] }, async () => undefined)
    const { chain } = await checkProof(proof, { agreed: null, heads: seen }, async () => undefined)
    expect(blind.ok, () => `seed ${seed}: the rewritten log is not consistent in itself`)
    expect(
      !chain.ok && chain.why === 'hash' && chain.statedBy === 'device',
      () => `seed ${seed}: not noticed from ${changedAt}`,
    )
  }
  return found
}

const withPriceChange = ([seq, at, price, size]: WireTick, by: number): WireTick => [
  seq,
  at,
  formatUnits((parsePrice(price, priceDecimals) ?? 0) + by, priceDecimals),
  size,
]

type Span = { from: number; to: number; acceptedAt: number; seconds: number; closeAt: number }

const source = { sinceAt: 0, fingerprint: 'test', epoch: 0, text: 'test feed' }

/** The proof of an order from a venue with this log, settled by rule R1. */
function proofOf(log: readonly WireTick[], { from, to, acceptedAt, seconds, closeAt }: Span): CompleteProof {
  const accepted = sampleOrder({
    productId: id,
    seconds,
    acceptedAt: epochMs(acceptedAt),
    closeAt: epochMs(closeAt),
  })
  const ticks = log.slice(from, to).map(toRestTick)
  const before = headOf(log.slice(0, from))
  const money = { direction: accepted.direction, amount: moneyOf(accepted.amount), acceptedAt, closeAt }
  const priced = ticks.map(([seq, at, price]) => ({
    seq,
    at,
    price: parsePrice(price, priceDecimals) ?? priceUnits(0),
  }))
  const settled = settle(accepted.terms, money, priced, [], [source])
  const order: Order = {
    ...accepted,
    status: settled.status,
    reason: settled.reason,
    entry: settled.entry && fillOf(settled.entry, priceDecimals),
    exit: settled.exit && wireExitOf(settled.exit, priceDecimals),
    payout: formatMoney(settled.payout),
    pnl: formatMoney(settled.pnl),
    settledAt: epochMs(closeAt),
  }
  const after = headOf(ticks, before)
  return {
    order,
    rule: 'R1',
    ticks,
    before,
    after,
    gaps: [],
    source: source.fingerprint,
    sources: [source],
    watermarkAt: epochMs(closeAt + 5000),
    final: true,
    seams: [],
    log: null,
    receipt: null,
  }
}

const headOf = (ticks: readonly WireTick[], from: Head = genesis(id, sha)): Head =>
  ticks.reduce((head, tick) => ({ seq: tick[0], hash: linkHash(head.hash, id, tick, sha) }), from)
