import { sql } from 'drizzle-orm'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Order, Proof } from '../../contract/orders.ts'
import type { TicksAnswer } from '../../contract/products.ts'
import type { FeedEvent } from '../../contract/socket.ts'
import { hourMs } from '../../contract/time.ts'
import { withDatabase } from '../support/withVenue.ts'
import type { ProductRow } from '../../server/market/feed/products.ts'
import { manualClock } from '../support/manualClock.ts'
import { extendChain, registerMember, password, blackBoxClient } from '../support/blackBoxClient.ts'
import { openWholeVenue, scratchFolder } from '../support/wholeVenue.ts'
import { productRow, walk } from '../support/productRow.ts'

/** Effects of many hours or of a broken database, as a client sees them. */
const clock = manualClock()
const shortTerms = {
  durations: [{ seconds: 10, rateBp: 8000, min: '1.00', max: '500.00' }],
  maxTickGapMs: 8000,
  entryTimeoutMs: 4000,
}
const fast = productRow('FAST', { ...shortTerms, feed: walk({ seed: 3, ticksPerSecond: 400 }) })
/** So that the venue commits more often than IDLE ticks. */
const busy = productRow('BUSY', { ...shortTerms, feed: walk({ seed: 3, ticksPerSecond: 20 }) })
const idle = productRow('IDLE', { ...shortTerms, feed: walk({ seed: 3, ticksPerSecond: 1 }) })

let folder: Awaited<ReturnType<typeof scratchFolder>>
const database = await withDatabase()
beforeAll(async () => {
  folder = await scratchFolder()
})
afterAll(async () => {
  await database.close()
  await folder.remove()
})
const openVenue = (...table: ProductRow[]) =>
  openWholeVenue({ database, clock, table, recordingsDir: folder.path, dataDir: folder.path })
const orderRequest = (productId: string) => ({
  productId,
  direction: 'up',
  amount: '10.00',
  seconds: 10,
  rateBp: 8000,
  validUntil: clock.now() + 5000,
})

it('returns 410 for ticks past their retention, and keeps those that an order’s proof needs', async () => {
  const first = await openVenue(fast, idle)
  const member = await registerMember(first.url, 'outside1', '13800000011')
  await clock.advance(30_000)
  const placed = await member.postWithKey<Order>('/api/orders', orderRequest('FAST'))
  expect(placed.status).toBe(201)
  await clock.advance(40_000)
  await first.close()
  clock.leap(73 * hourMs)
  const venue = await openVenue(fast, idle)
  await clock.advance(1000)

  const guest = blackBoxClient(venue.url)
  const memberClient = blackBoxClient(venue.url)
  await memberClient.login('outside1', password)
  const pruned = await guest.get('/api/products/FAST/ticks?afterSeq=0')
  expect([pruned.status, pruned.code]).toEqual([410, 'PRUNED'])
  const firstSeq = Number(pruned.params?.['firstSeq'])
  expect(firstSeq).toBeGreaterThan(1)
  const retained = (await guest.get<TicksAnswer>(`/api/products/FAST/ticks?afterSeq=${firstSeq - 1}`)).body
  expect(retained.before?.seq).toBe(firstSeq - 1)
  expect(retained.ticks[0]?.[0]).toBe(firstSeq)

  const proof = (await memberClient.get<Proof>(`/api/orders/${placed.body.id}/proof`)).body
  expect(proof.ticks.length).toBeGreaterThan(4000)
  expect(extendChain(proof.before?.hash ?? '', 'FAST', proof.ticks)).toBe(proof.after?.hash)
  expect(venue.reportedErrors).toEqual([])
  await venue.close()
})

it('reports a feed that cannot be committed as stale, then down, with a public gap, and refunds its orders', async () => {
  const venue = await openVenue(busy, idle)
  const member = await registerMember(venue.url, 'outside2', '13800000012')
  await clock.advance(3000)
  const socket = io(venue.url, { transports: ['websocket'], forceNew: true, reconnection: false })
  const states: string[] = []
  socket.on('feed', ({ p }: FeedEvent) => void states.push(p['IDLE']?.status ?? 'none'))
  await socket.emitWithAck('subscribe', { products: ['IDLE'] })
  const newestGap = async () =>
    (
      await member.get<{ items: { from: number; to: number | null; refundedOrders: number }[] }>(
        '/api/products/IDLE/gaps?limit=1',
      )
    ).body.items[0]
  const before = await newestGap()
  const placed = await member.postWithKey<Order>('/api/orders', orderRequest('IDLE'))
  expect(placed.status).toBe(201)
  await clock.advance(2000)

  await database.db.execute(sql`
    CREATE FUNCTION no_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no disk'; END $$`)
  await database.db.execute(
    sql`CREATE TRIGGER no_disk BEFORE INSERT ON tick_batch FOR EACH ROW EXECUTE FUNCTION no_disk()`,
  )
  const brokenAt = clock.now()
  await clock.advance(4000)
  const rejected = await member.postWithKey('/api/orders', orderRequest('IDLE'))
  expect([rejected.status, rejected.code]).toEqual([422, 'FEED_STALE'])
  expect(await newestGap()).toEqual(before)
  await clock.advance(56_000)
  expect(await newestGap()).toEqual(before)
  await clock.advance(2000)
  const openGap = await newestGap()
  expect(openGap).toMatchObject({ to: null })
  expect(openGap?.from).toBeLessThanOrEqual(brokenAt)
  expect(openGap?.from).toBeGreaterThanOrEqual(brokenAt - 1000)
  await socket.emitWithAck('clock', 0)
  expect([...new Set(states)]).toEqual(['live', 'stale', 'down'])
  expect((await member.get<Order>(`/api/orders/${placed.body.id}`)).body.status).toBe('settling')

  await database.db.execute(sql`DROP TRIGGER no_disk ON tick_batch`)
  await clock.advance(2000)
  await socket.emitWithAck('clock', 0)
  expect(states.at(-1)).toBe('live')
  const closedGap = await newestGap()
  expect(closedGap).toMatchObject({ from: openGap?.from, refundedOrders: 1 })
  expect(closedGap?.to).toBeGreaterThanOrEqual(brokenAt + 62_000)
  expect((await member.get<Order>(`/api/orders/${placed.body.id}`)).body).toMatchObject({
    status: 'refunded',
    reason: 'FEED_DOWN',
    payout: '10.00',
  })
  socket.disconnect()
  await venue.close()
})
