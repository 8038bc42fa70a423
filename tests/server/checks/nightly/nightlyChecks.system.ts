import { hash } from 'node:crypto'
import { asc } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { Order } from '../../../../contract/orders.ts'
import type { StatusReport } from '../../../../contract/status.ts'
import { dayMs, minuteMs } from '../../../../contract/time.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { tickChunk } from '../../../../server/market/schema.ts'
import { verifyChunks } from '../../../../server/market/log/verifyLog.ts'
import { call, type MemberClient } from '../../../support/apiCalls.ts'
import { manualClock, type ManualClock } from '../../../support/manualClock.ts'
import { openMarket, syntheticProduct, withSeconds } from '../../../support/marketFixtures.ts'
import { scrape } from '../../../support/metrics.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

type LogVenue = TestVenue<Awaited<ReturnType<typeof openMarket>>>

const seconds = 20
/** So many ticks a second that a chunk is due after a few flushes: at 4,096 ticks. */
const busyRate = 1000
const chunkMs = 6000

let database: Database
let clock: ManualClock
let venue: LogVenue
let member: MemberClient
async function open(ticksPerSecond = 100): Promise<void> {
  database = await withDatabase()
  clock = manualClock()
  const product = withSeconds(syntheticProduct('FAST', ticksPerSecond), seconds)
  const market = await openMarket(database.db, clock, [product], { everyMs: 500 })
  venue = await withVenue({ database, clock, market })
  await clock.advance(1000)
  member = await venue.createMember()
}

async function settleOrders(count: number): Promise<Order[]> {
  const placed: Order[] = []
  for (let i = 0; i < count; i++) {
    const { status, body } = await member.post<Order>('/orders', {
      productId: 'FAST',
      direction: i % 2 === 0 ? 'up' : 'down',
      amount: '10.00',
      seconds,
      rateBp: 8000,
      validUntil: clock.now() + 10_000,
    })
    expect(status).toBe(201)
    placed.push(body)
    await clock.advance(700)
  }
  await clock.advance(seconds * 1000 + 6000)
  await venue.trading.idle()
  return placed
}

const report = async (): Promise<StatusReport['checks']> => {
  // Longer than a report is kept.
  await clock.jumpBy(11_000)
  return (await call<StatusReport>(venue.app, 'GET', '/status')).body.checks
}

/** Changes rows as only the owner of the tables can. */
async function tamper(table: string, statement: string): Promise<void> {
  for (const sql of [`ALTER TABLE ${table} DISABLE TRIGGER USER`, statement]) await database.pool.query(sql)
  await database.pool.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
}

it('settles again what was settled, verifies the log and checks the books', async () => {
  await open()
  await settleOrders(6)
  const { nightlyChecks } = venue
  await nightlyChecks.checkResults()
  await nightlyChecks.checkLog()
  await nightlyChecks.checkBooks()
  const { results, log, books } = await report()
  expect(results).toMatchObject({ orders: 6, differing: 0, differedAt: null })
  expect(log).toMatchObject({ damaged: 0, damagedAt: null })
  expect(books).toMatchObject({ postings: 13, differing: 0 })
  // Each order is counted once.
  await clock.jumpBy(minuteMs)
  await nightlyChecks.checkResults()
  expect((await report()).results).toMatchObject({ orders: 6, differing: 0 })
  expect(venue.reportedErrors).toEqual([])
})

it('finds a result that the log does not give, and does not forget it', async () => {
  await open()
  const [order] = await settleOrders(3)
  await tamper(
    'orders',
    `UPDATE orders SET exit_price = exit_price + 1 WHERE id = '${order?.id}' AND status <> 'tied'`,
  )
  await venue.nightlyChecks.checkResults()
  expect((await report()).results).toMatchObject({ orders: 3, differing: 1 })
  await clock.jumpBy(2 * minuteMs)
  await venue.nightlyChecks.checkResults()
  expect((await report()).results).toMatchObject({ orders: 3, differing: 1 })
  expect((await scrape(venue.app)).get('uptick_nightly_check_differences{check="results"}')).toBe(1)
  const { items } = (
    await venue.office<{ items: { act: string; details: { finding?: string } }[] }>('GET', '/audit?limit=5')
  ).body
  expect(items[0]).toMatchObject({ act: 'difference found' })
  expect(items[0]?.details.finding).toMatch(
    new RegExp(`^order ${order?.no}: its exitPrice is \\d+, the log says \\d+$`),
  )
  expect(venue.reportedErrors.join()).toContain('found differences in the results')
})

it('finds a changed tick before it settles with it, and reports the place once', async () => {
  await open()
  await settleOrders(2)
  await venue.nightlyChecks.checkResults()
  await settleOrders(2)
  await tamper(
    'tick_batch',
    `UPDATE tick_batch SET data = set_byte(data, 40, get_byte(data, 40) # 8)
     WHERE id = (SELECT max(id) - 20 FROM tick_batch)`,
  )
  await venue.nightlyChecks.checkResults()
  await venue.nightlyChecks.checkResults()
  const { log, results } = await report()
  expect(log?.damaged).toBe(1)
  expect(results).toMatchObject({ orders: 2, differing: 0 })
})

it('verifies all chunks again each night, and counts a changed one once', async () => {
  await open(200)
  await clock.advance(22_000)
  const { nightlyChecks } = venue
  await nightlyChecks.checkLog()
  await tamper(
    'tick_chunk',
    `UPDATE tick_chunk SET data = set_byte(data, 9, get_byte(data, 9) # 1) WHERE seq0 = 1`,
  )
  await nightlyChecks.checkLog()
  expect((await report()).log).toMatchObject({ damaged: 0 })
  for (const night of [1, 2]) {
    // The job does it; a check of the test beside it would count what both found.
    await clock.jumpBy(dayMs)
    const since = clock.now()
    await expect.poll(async () => (await report()).log?.at).toBeGreaterThanOrEqual(since)
    expect((await report()).log?.damaged, `night ${night}`).toBe(1)
  }
})

it('verifies each chunk once a day, and finds a changed one', async () => {
  await open(busyRate)
  await clock.advance(chunkMs)
  await venue.nightlyChecks.checkLog()
  const first = (await report()).log
  expect(first?.ticks).toBeGreaterThan(4000)
  await tamper(
    'tick_chunk',
    `UPDATE tick_chunk SET hash_after = set_byte(hash_after, 3, get_byte(hash_after, 3) # 8) WHERE seq0 = 1`,
  )
  await venue.nightlyChecks.checkLog()
  // Already verified: it is read again at night.
  expect((await report()).log?.damaged).toBe(0)
  await clock.advance(chunkMs)
  await tamper(
    'tick_chunk',
    `UPDATE tick_chunk SET hash_after = set_byte(hash_after, 3, get_byte(hash_after, 3) # 8)
     WHERE seq0 = (SELECT max(seq0) FROM tick_chunk)`,
  )
  await venue.nightlyChecks.checkLog()
  expect((await report()).log?.damaged).toBe(1)
})

it('counts a damaged chunk once if two checks are asked for at the same time', async () => {
  await open(busyRate)
  await clock.advance(chunkMs)
  await tamper(
    'tick_chunk',
    `UPDATE tick_chunk SET data = set_byte(data, 9, get_byte(data, 9) # 1) WHERE seq0 = 1`,
  )
  await Promise.all([venue.nightlyChecks.checkLog(), venue.nightlyChecks.checkLog()])
  expect((await report()).log).toMatchObject({ damaged: 1 })
})

it('reads what was verified before and what is new each once, and finds a past that was hashed again', async () => {
  await open(busyRate)
  await clock.advance(2 * chunkMs)
  const sha = (text: string): string => hash('sha256', text)
  const whole = await verifyChunks(database.db, sha, {})
  const chunks = await database.db.select().from(tickChunk).orderBy(asc(tickChunk.seq0))
  const [first, second] = chunks
  const half = new Map([
    [first!.ix, { seq: first!.seq1, hash: first!.hashAfter.toString('hex'), at: first!.at1 }],
  ])
  const [again, added] = [
    await verifyChunks(database.db, sha, { until: half }),
    await verifyChunks(database.db, sha, { from: half }),
  ]
  expect(second).toBeDefined()
  expect([again.chunks, again.chunks + added.chunks]).toEqual([1, whole.chunks])
  expect(again.ticks + added.ticks).toBe(whole.ticks)
  const rewritten = new Map([[first!.ix, { ...half.get(first!.ix)!, hash: 'ab'.repeat(32) }]])
  const { violations } = await verifyChunks(database.db, sha, { until: rewritten })
  expect(violations.map(({ message }) => message)).toEqual([
    expect.stringContaining('it is not the one that was verified before'),
  ])
})

it('finds money without a cause', async () => {
  await open()
  await settleOrders(1)
  await tamper(
    'posting',
    `WITH b AS (UPDATE balance SET available = available + 100, version = version + 1 RETURNING *)
     INSERT INTO posting (member_id, id, at, type, amount, available, external, available_after, held_after,
       stakes_after, fund_after, pnl_after, ref_kind, ref_id)
     SELECT member_id, version, 0, 'deposit', 100, 100, -100, available, held, stakes, fund, pnl, 'deposit', 'none'
     FROM b`,
  )
  await venue.nightlyChecks.checkBooks()
  expect((await report()).books).toMatchObject({ differing: 1 })
})
