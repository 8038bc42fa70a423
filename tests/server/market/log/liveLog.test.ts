import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { genesis, verifyChain } from '../../../../contract/chain.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { createActWriter } from '../../../../server/notices/actLog/actLog.ts'
import { cutLog } from '../../../../server/market/log/logCut.ts'
import { firstViolation, verifyLog } from '../../../../server/market/log/verifyLog.ts'
import type { RunningMarket } from '../../../../server/market/market.ts'
import { fakeExchange, type FakeExchangeOptions } from '../../../support/fakeExchange.ts'
import { manualClock, type ManualClock } from '../../../support/manualClock.ts'
import { openMarket, productOf, sha, syntheticProduct } from '../../../support/marketFixtures.ts'
import { testFence } from '../../../support/testFence.ts'

const start = Date.UTC(2026, 0, 5, 2, 0, 0)
let database: Database
let clock: ManualClock
let running: RunningMarket | null = null
let reports: string[] = []

beforeEach(async () => {
  database = await withDatabase()
  clock = manualClock(start)
  running = null
  reports = []
})
afterEach(async () => {
  await running?.stop()
})

const exchange = (options?: FakeExchangeOptions) => fakeExchange(clock, options)
const productsOf = (live: Record<string, ReturnType<typeof exchange>>) => [
  ...Object.entries(live).map(([id, { source }]) => productOf(id, source)),
  syntheticProduct('WALK', 10),
]

async function open(products: ReturnType<typeof productsOf>, everyMs = 100): Promise<RunningMarket> {
  running = await openMarket(database.db, clock, products, {
    everyMs,
    report: (what) => void reports.push(what),
  })
  running.start()
  await clock.advance(100)
  return running
}

async function restart(products: ReturnType<typeof productsOf>, everyMs?: number): Promise<RunningMarket> {
  await running?.stop()
  return open(products, everyMs)
}

const since = (at: number): number => at - start
const gapsOf = async (market: RunningMarket, id: string) =>
  (await market.gaps(id)).map(({ from, to }) => [since(from), to === null ? null : since(to)])

describe('a live product in the log', () => {
  it('has a watermark of its own, which stands still while its source is not received', async () => {
    const live = exchange()
    const market = await open(productsOf({ LIVE: live }))
    live.trade(10_000)
    await clock.advance(1000)
    expect(since(market.watermark('LIVE'))).toBeGreaterThan(1000)
    expect(market.feedStatus('LIVE')).toBe('live')
    live.drop()
    const frozenAt = clock.now()
    await clock.advance(2200)
    expect(market.watermark('LIVE')).toBe(frozenAt)
    expect([market.feedStatus('LIVE'), market.feedStatus('WALK')]).toEqual(['stale', 'live'])
    expect(market.watermark('WALK')).toBeGreaterThan(frozenAt + 2000)
    expect(reports).toEqual([])
  })

  it('jumps on without a gap if nothing was missed', async () => {
    const live = exchange()
    const market = await open(productsOf({ LIVE: live }))
    live.trade(10_000)
    await clock.advance(500)
    live.drop()
    await clock.advance(1500)
    live.comeBack('whole')
    live.trade(10_001)
    await clock.advance(200)
    const gaps = await gapsOf(market, 'LIVE')
    expect(gaps).toEqual([])
    expect(clock.now() - market.watermark('LIVE')).toBeLessThanOrEqual(100)
    expect(market.head('LIVE').seq).toBe(2)
  })

  it('has a gap from its watermark until its source is received again, and no other product has one', async () => {
    const live = exchange()
    const second = exchange({ fingerprint: 'exchange:fake:SECOND' })
    const market = await open(productsOf({ LIVE: live, SECOND: second }))
    await clock.advance(900)
    live.drop()
    const from = since(clock.now())
    second.trade(5)
    await clock.advance(7000)
    second.trade(6)
    live.comeBack('missed')
    const to = since(clock.now())
    live.trade(10_002)
    await clock.advance(1000)
    expect(await gapsOf(market, 'LIVE')).toEqual([[from, to]])
    expect(await gapsOf(market, 'SECOND')).toEqual([])
    expect(await gapsOf(market, 'WALK')).toEqual([])
    expect([market.head('LIVE').seq, market.head('SECOND').seq]).toEqual([1, 2])
    expect(live.committed.at(-1)).toBe(market.watermark('LIVE'))
    expect(live.committed.every((at, i) => at >= (live.committed[i - 1] ?? 0))).toBe(true)
  })

  it('shows a gap without an end once the time is lost, and keeps to it even if the feed does not', async () => {
    const live = exchange()
    const market = await open(productsOf({ LIVE: live }), 500)
    live.drop()
    const from = since(clock.now())
    await clock.advance(29_000)
    expect(await gapsOf(market, 'LIVE')).toEqual([])
    await clock.advance(2000)
    expect(await gapsOf(market, 'LIVE')).toEqual([[from, null]])
    expect(market.feedStatus('LIVE')).toBe('down')
    live.comeBack('whole')
    await clock.advance(1000)
    const [[gapFrom, gapTo] = []] = await gapsOf(market, 'LIVE')
    expect(gapFrom).toBe(from)
    expect(gapTo).toBeGreaterThan(30_000)
  })

  it('is not reported more than once while its feed fails, and delays no other product', async () => {
    const broken = exchange({ broken: true })
    const market = await open(productsOf({ LIVE: broken }))
    await clock.advance(3000)
    expect(reports).toEqual(['reading the live feed of LIVE failed'])
    expect(clock.now() - market.watermark('WALK')).toBeLessThanOrEqual(100)
    expect(since(market.watermark('LIVE'))).toBe(0)
  })

  it('shows the price of the snapshot until its first tick', async () => {
    const live = exchange({ openingPrice: 12_345 })
    const market = await open(productsOf({ LIVE: live }))
    expect(market.ticker('LIVE').last).toBe('123.45')
    live.trade(12_400)
    await clock.advance(100)
    expect(market.ticker('LIVE').last).toBe('124.00')
  })

  it('does not keep the minutes of others from being stored', async () => {
    const live = exchange()
    const market = await open(productsOf({ LIVE: live }), 1000)
    live.drop()
    await clock.advance(150_000)
    live.comeBack('missed')
    live.trade(10_000)
    await clock.advance(1000)
    const { rows } = await database.db.execute<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM minute_row WHERE open_at >= ${start}`,
    )
    expect(rows[0]?.n).toBe(2)
    const candles = await market.candles('LIVE', '1m', clock.now() + 1, 10)
    expect(candles.map(({ lastSeq }) => lastSeq)).toEqual([1])
  })
})

describe('a restart', () => {
  it('makes the time since the watermark a gap of live products, and computed ones catch up', async () => {
    const live = exchange()
    const first = await open(productsOf({ LIVE: live }))
    live.trade(10_000)
    await clock.advance(2000)
    await first.stop()
    expect(live.openFeeds).toBe(0)
    const stoppedAt = since(first.watermark('LIVE'))
    await clock.advance(3000)
    const openedAt = since(clock.now())
    const second = await restart(productsOf({ LIVE: live }))
    live.trade(10_001)
    await clock.advance(1000)
    expect(await gapsOf(second, 'LIVE')).toEqual([[stoppedAt, openedAt]])
    expect(await gapsOf(second, 'WALK')).toEqual([])
    expect(second.head('LIVE').seq).toBe(2)
    expect(live.openFeeds).toBe(1)
  })

  it('while the source is lost begins the gap where the source was lost', async () => {
    const live = exchange()
    const killed = await open(productsOf({ LIVE: live }))
    live.trade(10_000)
    await clock.advance(2000)
    live.drop()
    const from = since(clock.now())
    await clock.advance(12_000)
    const { head } = killed
    const seq = head('LIVE').seq
    await killed.stop()
    running = null
    await clock.advance(4000)
    const openedAt = since(clock.now())
    const second = await open(productsOf({ LIVE: live }))
    expect(await gapsOf(second, 'LIVE')).toEqual([[from, openedAt]])
    await clock.advance(2500)
    expect(second.feedStatus('LIVE')).toBe('stale')
    live.comeBack('missed')
    live.trade(10_001)
    await clock.advance(200)
    const gaps = await gapsOf(second, 'LIVE')
    expect(gaps).toEqual([
      [from, openedAt],
      [openedAt, since(clock.now()) - 200],
    ])
    expect(second.head('LIVE').seq).toBe(seq + 1)
  })

  it('after a long pause has one gap for every product', async () => {
    const live = exchange()
    const first = await open(productsOf({ LIVE: live }))
    await clock.advance(1000)
    await first.stop()
    const watermark = since(first.watermark('LIVE'))
    await clock.advance(90_000)
    const openedAt = since(clock.now())
    const second = await restart(productsOf({ LIVE: live }))
    expect(await gapsOf(second, 'LIVE')).toEqual([[watermark, openedAt]])
    expect((await gapsOf(second, 'WALK')).length).toBe(1)
  })

  it('remembers where a product stood that left the table and comes back', async () => {
    const live = exchange()
    const first = await open(productsOf({ LIVE: live }))
    live.drop()
    const from = since(clock.now())
    await clock.advance(5000)
    await first.stop()
    await restart(productsOf({}))
    await clock.advance(5000)
    const openedAt = since(clock.now())
    const third = await restart(productsOf({ LIVE: live }))
    expect(await gapsOf(third, 'LIVE')).toEqual([[from, openedAt]])
  })
})

describe('where a live tick comes from', () => {
  const ids = ['17', '18', '18446744073709551615', 'b5e0-x', '007', '9007199254740991', '19']

  async function tradeAll(live: ReturnType<typeof exchange>): Promise<void> {
    for (const [i, id] of ids.entries()) {
      live.trade(10_000 + i, i, id)
      await clock.advance(130)
    }
  }

  it('is in every answer, in the hash, and survives compaction and a restart', async () => {
    const live = exchange()
    const market = await open(productsOf({ LIVE: live }))
    await tradeAll(live)
    const before = await market.ticksAfter('LIVE', 0, 100)
    expect(before.ticks.map((tick) => tick[4])).toEqual(ids)
    expect(before.ticks.map((tick) => tick[1] - (tick[5] ?? 0))).toEqual(ids.map(() => 150))
    expect(market.chain('LIVE')).toBe(2)
    expect(market.chain('WALK')).toBe(1)
    const verified = verifyChain('LIVE', genesis('LIVE', sha), before.ticks, market.head('LIVE'), sha)
    expect(verified.ok).toBe(true)
    const flushed = await restart(productsOf({ LIVE: live }), 5000)
    expect((await flushed.ticksAfter('LIVE', 0, 100)).ticks).toEqual(before.ticks)
    await clock.advance(601_000)
    const { rows } = await database.db.execute<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM tick_chunk c JOIN feed_product p USING (ix) WHERE p.id = 'LIVE'`,
    )
    expect(rows[0]?.n).toBe(1)
    expect((await flushed.ticksAfter('LIVE', 0, 100)).ticks).toEqual(before.ticks)
    expect((await flushed.ticksAfter('LIVE', 3, 2)).ticks).toEqual(before.ticks.slice(3, 5))
    expect(await verifyLog(database.db, sha)).toMatchObject({ violations: [] })
  })

  it('cannot be changed: a proof with another source id is refused', async () => {
    const live = exchange()
    const market = await open(productsOf({ LIVE: live }))
    await tradeAll(live)
    const { ticks } = await market.ticksAfter('LIVE', 0, 100)
    const changed = ticks.map((tick) =>
      tick.length === 6 && tick[0] === 3
        ? ([tick[0], tick[1], tick[2], tick[3], '20', tick[5]] as const)
        : tick,
    )
    const check = (list: typeof changed) =>
      verifyChain('LIVE', genesis('LIVE', sha), list, market.head('LIVE'), sha).ok
    expect([check(ticks), check(changed)]).toEqual([true, false])
    const bare = ticks.map(([seq, at, price, size]) => [seq, at, price, size] as const)
    expect(check(bare)).toBe(false)
  })

  it('is checked in the stored log, and a cut makes the time a gap from the watermark', async () => {
    const live = exchange()
    const market = await open(productsOf({ LIVE: live }))
    await tradeAll(live)
    live.drop()
    const frozenAt = since(clock.now())
    await clock.advance(3000)
    await market.stop()
    running = null
    // Changes the last letter of the id that is text, in the flush that has it.
    await database.db.execute(sql`SET session_replication_role = replica`)
    await database.db.execute(
      sql`UPDATE tick_batch SET data = overlay(data placing 'y'::bytea from position('b5e0-x'::bytea in data) + 5)
          WHERE position('b5e0-x'::bytea in data) > 0`,
    )
    await database.db.execute(sql`SET session_replication_role = origin`)
    const violation = firstViolation(await verifyLog(database.db, sha))
    expect(violation?.message).toMatch(/LIVE from tick 4 on: its hash differs/)
    if (!violation) return
    await cutLog(
      {
        db: database.db,
        fence: testFence,
        sha,
        now: clock.now(),
        actor: 'test',
        recordAct: createActWriter({ clock }),
      },
      violation,
    )
    expect(await verifyLog(database.db, sha)).toMatchObject({ violations: [] })
    const openedAt = since(clock.now())
    const second = await open(productsOf({ LIVE: live }))
    const [[from = 0, to = 0] = []] = await gapsOf(second, 'LIVE')
    expect(from).toBeLessThan(frozenAt)
    expect(to).toBe(openedAt)
  })
})

describe('a product whose source becomes live', () => {
  it('keeps its chain: computed ticks without a source id, then live ones with it, in one chunk', async () => {
    const live = exchange()
    const computed = [syntheticProduct('MIXED', 2)]
    const first = await open(computed)
    await clock.advance(2000)
    await first.stop()
    const seq = first.head('MIXED').seq
    const second = await restart([productOf('MIXED', live.source)])
    live.trade(10_000)
    live.trade(10_001)
    await clock.advance(100)
    await restart(computed, 5000)
    await clock.advance(602_000)
    const { ticks } = await running!.ticksBetween('MIXED', start, clock.now(), 5000)
    expect(ticks.filter((tick) => tick.length === 6).map((tick) => tick[0])).toEqual([seq + 1, seq + 2])
    expect(second.chain('MIXED')).toBe(2)
    expect(running!.chain('MIXED')).toBe(1)
    expect(await verifyLog(database.db, sha)).toMatchObject({ violations: [] })
  })
})
