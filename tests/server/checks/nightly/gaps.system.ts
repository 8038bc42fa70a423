import { afterEach, beforeEach, expect, it } from 'vitest'
import { minuteMs } from '../../../../contract/time.ts'
import { encodeFlush, messageOf } from '../../../../server/market/nodes/flushMessage.ts'
import { openNodeMarket, type NodeMarket } from '../../../../server/market/nodeMarket.ts'
import { openMarketWriter, type MarketWriter } from '../../../../server/market/writer.ts'
import { readNewestWatermark } from '../../../../server/market/log/flushStore.ts'
import { systemRandom } from '../../../../server/platform/random.ts'
import { createGapCheck } from '../../../../server/checks/nightly/gaps.ts'
import { fakeMarket, testProduct } from '../../../support/fakeMarket.ts'
import { manualClock, type ManualClock } from '../../../support/manualClock.ts'
import { sha, syntheticProduct } from '../../../support/marketFixtures.ts'
import { memoryBusServer } from '../../../support/memoryBus.ts'
import { scrape } from '../../../support/metrics.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { testFence } from '../../../support/testFence.ts'
import { openTestVenue } from '../../../support/testVenue.ts'
import { followerOf } from '../../../support/testCluster.ts'

const postgres = await withPostgres('nightlyGaps')
const products = [syntheticProduct('FAST', 20), syntheticProduct('SLOW', 2, 2)]
const differing = 'uptick_nightly_check_differences{check="gaps"}'
/** A log that stood still for longer has a gap. */
const longPauseMs = 5 * minuteMs

let clock: ManualClock
let writer: MarketWriter
/** Whether the leader's messages lack the gaps of their flushes. */
let losesGaps = false
let node: NodeMarket
let venue: Awaited<ReturnType<typeof openVenue>>

const report = (what: string, error: unknown): never => {
  throw new Error(what, { cause: error })
}

/** A venue that does not lead, on the market of its node. */
async function openVenue() {
  const { dropped, failedFlushes, start, stop } = fakeMarket(clock)
  const market = { ...node.market, dropped, failedFlushes, start, stop }
  return openTestVenue(postgres.database(), { clock, market, cluster: followerOf })
}

postgres.describe('the gaps of a node that does not lead', () => {
  beforeEach(async () => {
    losesGaps = false
    const database = postgres.database()
    const { db } = database
    clock = manualClock(Math.max(Date.now(), await readNewestWatermark(db)))
    const server = memoryBusServer()
    const parts = { db, clock, sha, random: systemRandom, report, products }
    writer = await openMarketWriter({
      ...parts,
      fence: testFence,
      tickRetentionMs: 60 * minuteMs,
      logLine: () => undefined,
      everyMs: 500,
    })
    const bus = server.connect()
    writer.onCommit((commit) => {
      const message = messageOf(commit, testFence.term)
      bus.publish('flush', encodeFlush(losesGaps ? { ...message, gaps: [] } : message))
    })
    writer.start()
    await clock.advance(1000)
    node = await openNodeMarket({
      ...parts,
      bus: server.connect(),
      onFlush: () => undefined,
      isPlausible: () => true,
      onLost: (error) => report('lost', error),
    })
    venue = await openVenue()
  })
  afterEach(async () => {
    await venue.close()
    await node.stop()
    await writer.stop()
  })

  it('are those of the database', async () => {
    await clock.jumpBy(longPauseMs)
    await clock.advance(3 * minuteMs)
    expect((await node.market.gaps('FAST')).length).toBeGreaterThan(0)
    expect((await scrape(venue.app)).get(differing)).toBe(0)
    expect(venue.reportedErrors).toEqual([])
  })

  it('that it lacks in memory are named, once, and counted by this node', async () => {
    const known = (await node.market.gaps('FAST')).length
    losesGaps = true
    await clock.jumpBy(longPauseMs)
    await clock.advance(3 * minuteMs)
    expect(await node.market.gaps('FAST')).toHaveLength(known)
    expect((await scrape(venue.app)).get(differing)).toBe(2)
    const { rows } = await venue.database.pool.query<{ id: string; from: number; to: number }>(`
      SELECT p.id, g.from_at AS from, g.to_at AS to FROM feed_gap g JOIN feed_product p USING (ix)
      WHERE g.from_at = (SELECT max(from_at) FROM feed_gap) ORDER BY p.id`)
    const names = rows.map(
      ({ id, from, to }) => `gap of ${id} from ${from} to ${to} is not served by this node`,
    )
    expect(names).toHaveLength(2)
    const lines = venue.reportedErrors.filter((each) => typeof each === 'string')
    for (const name of names)
      expect(lines.filter((line) => line.includes(name))).toEqual([
        expect.stringContaining('the nightly checks'),
      ])
    await clock.advance(3 * minuteMs)
    expect(venue.reportedErrors.filter((each) => typeof each === 'string')).toEqual(lines)
    const { rows: checkedGaps } = await venue.database.pool.query<{ details: string }>(
      "SELECT details FROM audit WHERE subject_kind = 'nightly-check' AND subject_id = 'gaps' ORDER BY id",
    )
    expect(checkedGaps.map(({ details }) => (JSON.parse(details) as { finding: string }).finding)).toEqual(
      names,
    )
  })
})

postgres.describe('the check of gaps', () => {
  const store = (statement: string, values: readonly unknown[]) =>
    postgres.database().pool.query(statement, [...values])

  it('takes a gap on its way for no difference, and one that nobody stored for one', async () => {
    const { db } = postgres.database()
    const start = (await readNewestWatermark(db)) + 1000
    const own = manualClock(start)
    const id = 'ON_ITS_WAY'
    const market = fakeMarket(own, [{ ...testProduct, id }])
    const { rows } = await store(
      `INSERT INTO feed_product (ix, id, price_decimals, size_decimals, first_at)
       SELECT max(ix) + 1, $1, 2, 0, $2 FROM feed_product RETURNING ix`,
      [id, start],
    )
    const ix: unknown = rows[0]?.ix
    const flush = (at: number) =>
      store(
        'INSERT INTO tick_batch (id, at, data, term) SELECT max(id) + 1, $1, $2, max(term) FROM tick_batch',
        [at, Buffer.alloc(0)],
      )
    const check = createGapCheck(db, market)
    expect(await check()).toBeNull()
    expect(await check()).toEqual([])
    // The leader has committed a gap that this node has not yet.
    await store('INSERT INTO feed_gap (ix, from_at, to_at) VALUES ($1, $2, $3)', [ix, start, start + 500])
    await flush(start + 1000)
    expect(await check()).toEqual([])
    expect(await check()).toBeNull()
    await own.advance(1000)
    market.flush()
    expect(await check()).toEqual([`gap of ${id} from ${start} to ${start + 500} is not served by this node`])
    await own.advance(500)
    market.recordGap()
    expect(await check()).toHaveLength(1)
    expect(await check()).toEqual([
      `gap of ${id} from ${start} to ${start + 500} is not served by this node`,
      `gap of ${id} from ${start + 1000} to ${start + 1500} is not in the database`,
    ])
  })
})
