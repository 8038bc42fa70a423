import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { genesis, verifyChain, type Head, type WireTick } from '../../../contract/chain.ts'
import type { Database } from '../../../server/platform/db/open.ts'
import { withDatabase } from '../../support/withVenue.ts'
import { readNewestWatermark } from '../../../server/market/log/flushStore.ts'
import { readFlushesAfter } from '../../../server/market/nodes/flushReader.ts'
import type { RunningMarket } from '../../../server/market/market.ts'
import { verifyLog } from '../../../server/market/log/verifyLog.ts'
import { manualClock, type ManualClock } from '../../support/manualClock.ts'
import {
  computedSourceOf,
  openMarket,
  productOf,
  scriptedFeed,
  sha,
  syntheticProduct,
} from '../../support/marketFixtures.ts'

const start = Date.UTC(2026, 0, 5, 2, 0, 0)
const everyMs = 1000
let database: Database
let clock: ManualClock
let running: RunningMarket | null = null

beforeEach(async () => {
  database = await withDatabase()
  clock = manualClock(start)
})
afterEach(async () => {
  await running?.stop()
})

/** Stops the running market and opens it again, as a new process would. */
async function open(
  ...args: Parameters<typeof openMarket> extends [unknown, unknown, ...infer Rest] ? Rest : never
) {
  await running?.stop()
  running = await openMarket(database.db, clock, args[0], { everyMs, ...args[1] })
  running.start()
  return running
}

/** Reads every logged tick page by page and verifies the chain. */
async function readAndVerify(
  market: RunningMarket,
  id: string,
  limit = 1000,
): Promise<{ head: Head; ticks: WireTick[] }> {
  const ticks: WireTick[] = []
  let head = genesis(id, sha)
  for (;;) {
    const page = await market.ticksAfter(id, head.seq, limit)
    expect(page.before).toEqual(head)
    const verified = verifyChain(id, head, page.ticks, undefined, sha)
    if (!verified.ok) throw new Error(`broken at ${verified.atSeq}: ${verified.why}`)
    head = verified.head
    ticks.push(...page.ticks)
    if (page.complete) return { head, ticks }
  }
}

const count = async (table: string): Promise<number> => {
  const { rows } = await database.db.execute<{ n: number }>(
    sql.raw(`SELECT count(*)::int AS n FROM ${table}`),
  )
  return rows[0]?.n ?? 0
}

describe('tick log of a running market', () => {
  it('is one chain over flushes, chunks and a restart, and lacks only the ticks of the gap', async () => {
    const products = [syntheticProduct('FAST', 200), syntheticProduct('SLOW', 3, 2)]
    const first = await open(products)
    await clock.advance(25_000)
    expect(await count('tick_chunk')).toBe(1)
    expect((await readAndVerify(first, 'FAST')).head).toEqual(first.head('FAST'))
    expect(first.head('FAST').seq).toBeGreaterThan(4900)
    await first.stop()
    const before = { fast: first.head('FAST'), slow: first.head('SLOW'), watermark: first.watermark('FAST') }
    await clock.advance(60_001)
    const second = await open(products)
    expect(second.head('FAST')).toEqual(before.fast)
    expect(second.head('SLOW')).toEqual(before.slow)
    expect(await second.gaps('SLOW')).toEqual([{ from: before.watermark, to: clock.now() }])
    const from = clock.now()
    await clock.advance(20_000)
    for (const id of ['FAST', 'SLOW']) {
      const { head, ticks } = await readAndVerify(second, id, 777)
      expect(head).toEqual(second.head(id))
      expect(ticks.some(([, at]) => at > before.watermark && at <= from)).toBe(false)
      const feed = computedSourceOf(products.find((each) => each.settings.id === id)).open(start)
      const expected = [...feed.due(start, before.watermark), ...feed.due(from, second.watermark(id))]
      expect(ticks.map(([, at]) => at)).toEqual(expected.filter((_, i) => i % 3 === 0))
    }
    expect(await verifyLog(database.db, sha)).toMatchObject({ violations: [], chunks: 2 })
  })

  it('continues where it ended after a restart within a minute, without a missing tick or a gap', async () => {
    const products = [syntheticProduct('FAST', 100), syntheticProduct('SLOW', 3, 2)]
    const first = await open(products)
    await clock.advance(5_000)
    await first.stop()
    await clock.advance(60_000)
    const second = await open(products)
    await clock.advance(10_000)
    for (const { settings, source } of products) {
      const { head, ticks } = await readAndVerify(second, settings.id)
      expect(head).toEqual(second.head(settings.id))
      expect(second.watermark(settings.id)).toBeGreaterThanOrEqual(start + 74_000)
      const expected = source.open(start).due(start, second.watermark(settings.id))
      expect(ticks.map(([, at]) => at)).toEqual(expected.filter((_, i) => i % 3 === 0))
      expect(await second.gaps(settings.id)).toEqual([])
    }
  })

  it('has no gap after a restart within a minute even if the start takes longer', async () => {
    const first = await open([syntheticProduct('A', 5)])
    await clock.advance(5_000)
    await first.stop()
    await clock.advance(50_000)
    running = null
    const second = await openMarket(database.db, clock, [syntheticProduct('A', 5)])
    await clock.advance(30_000)
    expect(await second.gaps('A')).toEqual([])
    second.start()
    running = second
    await clock.advance(10_000)
    expect(await second.gaps('A')).toEqual([])
    expect((await readAndVerify(second, 'A')).ticks).toHaveLength(5 * 95)
  })

  it('hashes each tick that is not compacted once at a restart', async () => {
    const first = await open([syntheticProduct('A', 5)])
    await clock.advance(5_000)
    await first.stop()
    const hashed: string[] = []
    running = null
    const second = await openMarket(database.db, clock, [syntheticProduct('A', 5)], {
      sha: (text) => {
        hashed.push(text)
        return sha(text)
      },
    })
    const { seq } = first.head('A')
    expect(second.head('A')).toEqual(first.head('A'))
    expect(seq).toBeGreaterThan(20)
    // The first hash is the genesis.
    expect(hashed).toHaveLength(1 + seq)
    expect(new Set(hashed).size).toBe(1 + seq)
  })

  it('is unchanged by a start that never flushed', async () => {
    const first = await open([syntheticProduct('A', 5)])
    await clock.advance(5_000)
    await first.stop()
    const before = await readNewestWatermark(database.db)
    await clock.advance(20_000)
    await (await openMarket(database.db, clock, [syntheticProduct('A', 5)])).stop()
    expect(await readNewestWatermark(database.db)).toBe(before)
  })

  it('has a gap of a product whose source changed, however short the restart, and none of the others', async () => {
    const first = await open([syntheticProduct('A', 5), syntheticProduct('B', 5, 2)])
    await clock.advance(10_000)
    await first.stop()
    await clock.advance(3_000)
    const changed = [syntheticProduct('A', 5, 9), syntheticProduct('B', 5, 2)]
    const second = await open(changed)
    await clock.advance(2_000)
    expect(await second.gaps('A')).toEqual([{ from: start + 10_000, to: start + 13_000 }])
    expect(await second.gaps('B')).toEqual([])
    // Another restart before the log has caught up makes no difference.
    await second.stop()
    const third = await open(changed)
    await clock.advance(10_000)
    const { ticks } = await readAndVerify(third, 'A')
    expect(ticks.some(([, at]) => at > start + 10_000 && at <= start + 13_000)).toBe(false)
    expect(await third.gaps('A')).toHaveLength(1)
    expect((await readAndVerify(third, 'B')).ticks).toHaveLength(5 * 25)
  })

  it('compacts the ticks of a slow feed after ten minutes and deletes their flushes, but not those of the last seconds, for nodes that have not read them yet', async () => {
    const market = await open([syntheticProduct('SLOW', 2)], { everyMs: 1000 })
    await clock.advance(590_000)
    expect(await count('tick_chunk')).toBe(0)
    const behind = { id: await count('tick_batch'), at: await readNewestWatermark(database.db) }
    await clock.advance(15_000)
    expect(await count('tick_chunk')).toBe(1)
    expect(await count('tick_batch')).toBeLessThan(60)
    expect((await readAndVerify(market, 'SLOW')).head).toEqual(market.head('SLOW'))
    const { flushes } = await readFlushesAfter(database.db, behind)
    expect(flushes.map(({ id }) => id)).toEqual(flushes.map((_, i) => behind.id + 1 + i))
    expect(flushes.length).toBeGreaterThan(10)
  })

  it('moves the watermark each second also while the market is closed', async () => {
    const closed = scriptedFeed([], () => ({ open: false, opensAt: start + 999_999, closesAt: null }))
    const market = await open([productOf('SHUT', closed)])
    const watermarks: number[] = []
    market.onFlush((flush) => watermarks.push(flush.at - start))
    await clock.advance(5000)
    expect(watermarks).toEqual([1000, 2000, 3000, 4000, 5000])
    expect(market.tradingHours('SHUT').status).toBe('closed')
    expect(await readNewestWatermark(database.db)).toBe(start + 5000)
  })

  it('starts with a gap if the start took too long', async () => {
    const market = await openMarket(database.db, clock, [syntheticProduct('A', 5)])
    await clock.advance(61_000)
    expect(market.feedStatus('A')).toBe('down')
    expect(await market.gaps('A')).toEqual([{ from: start, to: null }])
    market.start()
    running = market
    await clock.advance(100)
    expect(await market.gaps('A')).toEqual([{ from: start, to: start + 61_000 }])
    expect(market.feedStatus('A')).toBe('live')
  })
})

describe('stored tick log', () => {
  beforeEach(async () => {
    await open([syntheticProduct('FAST', 400)])
    await clock.advance(11_500)
    await running?.stop()
  })
  const tables = [
    'tick_batch',
    'tick_chunk',
    'feed_product',
    'feed_source',
    'minute_row',
    'bucket_hour',
    'feed_gap',
  ]

  it('rejects UPDATE, DELETE and TRUNCATE on each of its tables', async () => {
    await database.db.execute(sql`INSERT INTO feed_gap VALUES (1, 1, 2)`)
    await database.db.execute(sql`INSERT INTO minute_row VALUES (1, '')`)
    await database.db.execute(sql`INSERT INTO bucket_hour VALUES (1, 1, 1, 1, 1, 1, 1, 1, '')`)
    const changes = tables.flatMap((table) => [
      `UPDATE ${table} SET ${table === 'minute_row' || table === 'tick_batch' ? 'data = data' : 'ix = ix'}`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
    ])
    for (const change of changes) {
      await expect(database.db.execute(sql.raw(change)), change).rejects.toMatchObject({
        cause: { code: '23001' },
      })
    }
  })

  // Each bit of a byte once; `npm run campaign S7` changes random bytes of all that is stored.
  it('is reported as damaged if a byte of a chunk has changed', async () => {
    const damagedFrom: number[] = []
    for (let i = 0; i < 8; i++) {
      const flip = async (): Promise<unknown> =>
        database.db.execute(
          sql.raw(`
          UPDATE tick_chunk SET data = set_byte(data, ${i} * 1051 % octet_length(data),
            get_byte(data, ${i} * 1051 % octet_length(data)) # ${1 << (i % 8)})`),
        )
      await database.db.execute(sql`ALTER TABLE tick_chunk DISABLE TRIGGER USER`)
      await flip()
      const check = await verifyLog(database.db, sha)
      damagedFrom.push(...check.violations.map(({ fromSeq }) => fromSeq))
      await flip()
    }
    expect(damagedFrom).toEqual(Array.from({ length: 8 }, () => 1))
    expect((await verifyLog(database.db, sha)).violations).toEqual([])
  })

  it('is reported as damaged if another column of a chunk has changed', async () => {
    await database.db.execute(sql`ALTER TABLE tick_chunk DISABLE TRIGGER USER`)
    const flipped = (column: string): string =>
      `${column} = set_byte(${column}, 3, get_byte(${column}, 3) # 1)`
    const changes = [
      ['seq1 = seq1 + 1', 'seq1 = seq1 - 1', 'ticks are missing'],
      ['at0 = at0 - 1', 'at0 = at0 + 1', 'its times differ'],
      ['at1 = at1 + 1', 'at1 = at1 - 1', 'its times differ'],
      [flipped('hash_before'), flipped('hash_before'), 'it does not follow the ticks before it'],
      [flipped('hash_after'), flipped('hash_after'), 'its hash differs'],
    ] as const
    for (const [change, revert, why] of changes) {
      await database.db.execute(sql.raw(`UPDATE tick_chunk SET ${change}`))
      const { violations } = await verifyLog(database.db, sha)
      expect(violations[0]?.message).toContain(why)
      expect(violations[0]?.productId).toBe('FAST')
      await database.db.execute(sql.raw(`UPDATE tick_chunk SET ${revert}`))
    }
    expect((await verifyLog(database.db, sha)).violations).toEqual([])
  })

  it('fails the start if a flush has changed and reports the place', async () => {
    await database.db.execute(sql`ALTER TABLE tick_batch DISABLE TRIGGER USER`)
    await database.db.execute(sql`
      UPDATE tick_batch SET data = set_byte(data, octet_length(data) - 1, get_byte(data, octet_length(data) - 1) # 1)
      WHERE id = (SELECT max(id) FROM tick_batch WHERE octet_length(data) > 0)`)
    await expect(open([syntheticProduct('FAST', 400)])).rejects.toThrow(
      /damaged at flush:\d+, near \S+Z: FAST from tick \d+ on: its hash differs/,
    )
  })
})

describe('pruning', () => {
  it('deletes old chunks except those that proofs need, and reports where the log continues', async () => {
    // A chunk is full after 41 s.
    const products = [syntheticProduct('FAST', 100)]
    const proofFrom = start + 100_000
    const proofTo = proofFrom + 1000
    const market = await open(products, {
      tickRetentionMs: 30_000,
      proofRanges: async (id, before) =>
        before > proofFrom && id === 'FAST' ? [{ from: proofFrom, to: proofTo }] : [],
    })
    await clock.advance(400_000)
    const chunks = await count('tick_chunk')
    await clock.advance(240_000)
    const { rows } = await database.db.execute<{ seq0: number; seq1: number; at0: number; at1: number }>(
      sql`SELECT seq0, seq1, at0, at1 FROM tick_chunk WHERE at1 < ${start + 570_000} ORDER BY seq0`,
    )
    expect(chunks).toBeGreaterThan(8)
    expect(rows).toHaveLength(3)
    expect(rows[1]!.at0).toBeLessThanOrEqual(proofFrom)
    expect(rows[1]!.at1).toBeGreaterThanOrEqual(proofTo)

    const firstSeq = rows[0]!.seq0
    await expect(market.ticksAfter('FAST', 0, 10)).rejects.toMatchObject({
      code: 'PRUNED',
      params: { firstSeq },
    })
    await expect(market.ticksBetween('FAST', start, clock.now(), 10)).rejects.toMatchObject({
      code: 'PRUNED',
    })
    const retained = await market.ticksAfter('FAST', firstSeq - 1, 5000)
    expect(verifyChain('FAST', retained.before!, retained.ticks, undefined, sha).ok).toBe(true)
    const proof = await market.ticksBetween('FAST', proofFrom, proofTo, 5000)
    expect(proof).toMatchObject({ complete: true })
    expect(proof.ticks).toHaveLength(100)
    const rest = await market.ticksAfter('FAST', rows[2]!.seq1 - 10, 5000)
    expect(rest).toMatchObject({ complete: false })
    expect(rest.ticks).toHaveLength(10)
    await expect(market.ticksAfter('FAST', rows[2]!.seq1, 10)).rejects.toMatchObject({ code: 'PRUNED' })
    expect((await verifyLog(database.db, sha)).violations).toEqual([])
  })
})

it('continues from the newest head after a pause longer than the retention time, more than once', async () => {
  const products = [syntheticProduct('FAST', 400), syntheticProduct('SLOW', 3, 2)]
  const first = await open(products)
  await clock.advance(12_000)
  await first.stop()
  const before = first.head('FAST').seq
  await clock.advance(80 * 3_600_000)
  const second = await open(products)
  await clock.advance(10_000)
  expect(second.head('FAST').seq).toBeGreaterThan(before)
  await second.stop()
  await clock.advance(80 * 3_600_000)
  const third = await open(products)
  expect(third.head('FAST')).toEqual(second.head('FAST'))
  expect(third.head('SLOW')).toEqual(second.head('SLOW'))
  await clock.advance(2000)
  await third.stop()
  const fourth = await open(products)
  expect(fourth.head('SLOW')).toEqual(third.head('SLOW'))
  expect((await verifyLog(database.db, sha)).violations).toEqual([])
})

describe('product table', () => {
  it('can lose a product and regain it with a gap for the time in between', async () => {
    const a = syntheticProduct('A', 5)
    const b = syntheticProduct('B', 5, 2)
    const first = await open([a, b])
    const ix = first.index('B')
    await clock.advance(10_000)
    const { seq } = first.head('B')
    await open([a])
    await clock.advance(20_000)
    const third = await open([b, a])
    expect(third.index('B')).toBe(ix)
    expect(third.head('B').seq).toBe(seq)
    expect(await third.gaps('B')).toEqual([{ from: start + 10_000, to: start + 30_000 }])
    expect(await third.gaps('A')).toEqual([])
  })

  it('cannot change the scale of a product that has a log', async () => {
    await open([syntheticProduct('A', 5)])
    const changed = syntheticProduct('A', 5)
    changed.settings.priceDecimals = 3
    await expect(open([changed])).rejects.toThrow(
      'product A: its log has priceDecimals 2 and sizeDecimals 0, and they never change',
    )
  })

  it('can change the source of a product: the log continues with a new epoch', async () => {
    const first = await open([syntheticProduct('A', 5)])
    await clock.advance(10_000)
    const head = first.head('A')
    const second = await open([syntheticProduct('A', 50, 9)])
    await clock.advance(10_000)
    const { ticks } = await second.ticksAfter('A', head.seq, 5000)
    expect(ticks).toHaveLength(500)
    expect((await readAndVerify(second, 'A')).head).toEqual(second.head('A'))
  })
})

describe('trading hours and maintenance', () => {
  const hours = (t: number) =>
    t < start + 3000
      ? { open: true, opensAt: null, closesAt: start + 3000 }
      : { open: t >= start + 6000, opensAt: t < start + 6000 ? start + 6000 : null, closesAt: null }

  it('notify their listeners when they change', async () => {
    const market = await open([productOf('A', scriptedFeed([], hours))])
    const changes: unknown[] = []
    market.onTradingHours((id, { status, opensAt, closesAt }) =>
      changes.push([id, status, opensAt, closesAt]),
    )
    await clock.advance(8000)
    expect(changes).toEqual([
      ['A', 'closed', start + 6000, null],
      ['A', 'open', null, null],
    ])
  })

  it('maintenance survives a restart, does not stop the feed, and ends on command or at its time', async () => {
    const products = [syntheticProduct('A', 5)]
    const first = await open(products)
    const statuses: string[] = []
    first.onTradingHours((_, { status }) => statuses.push(status))
    await first.setMaintenance('A', true, null)
    await clock.advance(2000)
    expect(first.head('A').seq).toBeGreaterThan(5)
    const second = await open(products)
    expect(second.tradingHours('A')).toEqual({ status: 'maintenance', opensAt: null, closesAt: null })
    await second.setMaintenance('A', false, null)
    expect(second.tradingHours('A').status).toBe('open')
    await second.setMaintenance('A', true, clock.now() + 5000)
    expect(second.ticker('A')).toMatchObject({ status: 'maintenance', opensAt: clock.now() + 5000 })
    await clock.advance(6000)
    expect(second.tradingHours('A').status).toBe('open')
    expect(statuses).toEqual(['maintenance'])
  })
})
