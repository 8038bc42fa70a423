import { sql } from 'drizzle-orm'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Order, Proof } from '../../contract/orders.ts'
import type { TicksAnswer } from '../../contract/products.ts'
import type { FeedEvent } from '../../contract/socket.ts'
import { openMemoryDatabase } from '../../server/db/open.ts'
import type { Database } from '../../server/db/open.ts'
import { manualClock } from '../support/manualClock.ts'
import { extendChain, registerMember, password, blackBoxClient } from '../support/blackBoxClient.ts'
import { openWholeVenue, scratchFolder } from '../support/wholeVenue.ts'
import { productRow, walk } from '../support/productRow.ts'

/** What only hours or a broken database bring about, as a client sees it. */
const clock = manualClock()
const hourMs = 3_600_000
const quick = {
  durations: [{ seconds: 10, rateBp: 8000, min: '1.00', max: '500.00' }],
  maxTickGapMs: 8000,
  entryTimeoutMs: 4000,
}
const table = [
  productRow('FAST', { ...quick, feed: walk({ seed: 3, ticksPerSecond: 400 }) }),
  productRow('IDLE', { ...quick, feed: walk({ seed: 3, ticksPerSecond: 1 }) }),
]

let database: Database
let folder: Awaited<ReturnType<typeof scratchFolder>>
beforeAll(async () => {
  database = await openMemoryDatabase()
  folder = await scratchFolder()
})
afterAll(async () => {
  await database.close()
  await folder.remove()
})
const open = () =>
  openWholeVenue({ database, clock, table, recordingsDir: folder.path, dataDir: folder.path })
const order = (productId: string) => ({
  productId,
  direction: 'up',
  amount: '10.00',
  seconds: 10,
  rateBp: 8000,
  validUntil: clock.now() + 5000,
})

it('ticks beyond the keep time are gone with 410, and what an order’s proof needs stays', async () => {
  const first = await open()
  const member = await registerMember(first.url, 'outside1', '13800000011')
  await clock.advance(30_000)
  const placed = await member.postWithKey<Order>('/api/orders', order('FAST'))
  expect(placed.status).toBe(201)
  await clock.advance(40_000)
  await first.close()
  clock.leap(73 * hourMs)
  const venue = await open()
  await clock.advance(1000)

  const guest = blackBoxClient(venue.url)
  const again = blackBoxClient(venue.url)
  await again.login('outside1', password)
  const gone = await guest.get('/api/products/FAST/ticks?afterSeq=0')
  expect([gone.status, gone.code]).toEqual([410, 'PRUNED'])
  const firstSeq = Number(gone.params?.['firstSeq'])
  expect(firstSeq).toBeGreaterThan(1)
  const kept = (await guest.get<TicksAnswer>(`/api/products/FAST/ticks?afterSeq=${firstSeq - 1}`)).body
  expect(kept.before?.seq).toBe(firstSeq - 1)
  expect(kept.ticks[0]?.[0]).toBe(firstSeq)

  const proof = (await again.get<Proof>(`/api/orders/${placed.body.id}/proof`)).body
  expect(proof.ticks.length).toBeGreaterThan(4000)
  expect(extendChain(proof.before?.hash ?? '', 'FAST', proof.ticks)).toBe(proof.after?.hash)
  expect(venue.reportedErrors).toEqual([])
  await venue.close()
}, 240_000)

it('a feed that cannot be committed for over a minute is stale, then down, its gap is public while it lasts, and is refunded', async () => {
  const venue = await open()
  const member = await registerMember(venue.url, 'outside2', '13800000012')
  await clock.advance(3000)
  const socket = io(venue.url, { transports: ['websocket'], forceNew: true, reconnection: false })
  const states: string[] = []
  socket.on('feed', ({ p }: FeedEvent) => void states.push(p['IDLE']?.status ?? 'none'))
  await socket.emitWithAck('subscribe', { products: ['IDLE'] })
  const gaps = async () =>
    (
      await member.get<{ items: { from: number; to: number | null; refundedOrders: number }[] }>(
        '/api/products/IDLE/gaps?limit=1',
      )
    ).body.items[0]
  const before = await gaps()
  const placed = await member.postWithKey<Order>('/api/orders', order('IDLE'))
  expect(placed.status).toBe(201)
  await clock.advance(2000)

  await database.db.execute(sql`
    CREATE FUNCTION no_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no disk'; END $$`)
  await database.db.execute(
    sql`CREATE TRIGGER no_disk BEFORE INSERT ON tick_batch FOR EACH ROW EXECUTE FUNCTION no_disk()`,
  )
  const brokenAt = clock.now()
  await clock.advance(4000)
  const refused = await member.postWithKey('/api/orders', order('IDLE'))
  expect([refused.status, refused.code]).toEqual([422, 'FEED_STALE'])
  expect(await gaps()).toEqual(before)
  await clock.advance(56_000)
  expect(await gaps()).toEqual(before)
  await clock.advance(2000)
  const lasting = await gaps()
  expect(lasting).toMatchObject({ to: null })
  expect(lasting?.from).toBeLessThanOrEqual(brokenAt)
  expect(lasting?.from).toBeGreaterThanOrEqual(brokenAt - 1000)
  await socket.emitWithAck('clock', 0)
  expect([...new Set(states)]).toEqual(['live', 'stale', 'down'])
  expect((await member.get<Order>(`/api/orders/${placed.body.id}`)).body.status).toBe('settling')

  await database.db.execute(sql`DROP TRIGGER no_disk ON tick_batch`)
  await clock.advance(2000)
  await socket.emitWithAck('clock', 0)
  expect(states.at(-1)).toBe('live')
  const over = await gaps()
  expect(over).toMatchObject({ from: lasting?.from, refundedOrders: 1 })
  expect(over?.to).toBeGreaterThanOrEqual(brokenAt + 62_000)
  expect((await member.get<Order>(`/api/orders/${placed.body.id}`)).body).toMatchObject({
    status: 'refunded',
    reason: 'FEED_DOWN',
    payout: '10.00',
  })
  socket.disconnect()
  await venue.close()
}, 240_000)
