import { filter, firstValueFrom, mergeMap, take, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withDatabase } from '../support/withVenue.ts'
import { createStreams, createWire, ticksOf, type Connection, type Streams } from '../../streams/index.ts'
import type { MemberClient } from '../support/apiCalls.ts'
import { openTestVenue, type TestVenue } from '../support/testVenue.ts'
import { fakeWireMarket } from '../support/fakeWireMarket.ts'
import { memoryPlacementStore } from '../support/streamsSetup.ts'
import { fakeWire } from '../support/fakeWire.ts'

// The venue's sockets and the real client over a real port, so that the mocks' frames cannot drift from them.
const database = await withDatabase()

let venue: TestVenue
let streams: Streams
let member: MemberClient
const open = async (transport: 'websocket' | 'polling'): Promise<void> => {
  venue = await openTestVenue(database, { productIds: ['A', 'B'], operatorConfig: { longPolling: true } })
  member = await venue.createMember()
  const { url } = await venue.listen()
  streams = createStreams({
    wire: createWire({ url, transports: [transport], headers: { cookie: `sid=${member.sid}` } }),
    api: fakeWireMarket(fakeWire(), ['A', 'B']).api,
    placementStore: memoryPlacementStore(),
    newKey: () => 'key',
    monotonic: () => performance.now(),
  })
}
afterEach(async () => {
  streams.close()
  await venue.close()
})

const online = (connection: Connection): boolean => connection.state === 'online'
const until = (matches: (connection: Connection) => boolean): Promise<Connection> =>
  firstValueFrom(streams.connection$.pipe(filter(matches)))

describe.each(['websocket', 'polling'] as const)('against the real sockets over %s', (transport) => {
  beforeEach(() => open(transport))

  it('receives ticks, quotes, heartbeats and the clock', async () => {
    const ticks = firstValueFrom(streams.run$('A').pipe(mergeMap(ticksOf), take(3), toArray()))
    const quote = firstValueFrom(streams.quote$('B'))
    expect(await quote).toMatchObject({ id: 'B', price: 10_000, stale: false })
    await firstValueFrom(streams.clock.second$)
    expect(Math.abs(streams.clock.now() - venue.clock.now())).toBeLessThan(5000)
    const at = venue.clock.now()
    venue.market.flushPrices({ A: [10_001, 10_002] })
    venue.market.flushPrices({ A: [9999] }, at + 50)
    expect(await ticks).toEqual([
      { seq: 1, at, price: 10_001, size: 1 },
      { seq: 2, at, price: 10_002, size: 1 },
      { seq: 3, at: at + 50, price: 9999, size: 1 },
    ])
    const heartbeat = until((connection) => connection.lastHeartbeatAt !== undefined)
    await venue.clock.advance(1000)
    expect((await heartbeat).lastHeartbeatAt).toBe(venue.clock.now())
    expect(streams.dropped()).toBe(0)
  })

  it('reconnects after the venue closed the socket, and leaves no socket open', async () => {
    await until(online)
    const assets = firstValueFrom(streams.event$('assets'))
    const sums = { total: '1.00', available: '1.00', held: '0.00', openStakes: '0.00', fund: '0.00' }
    const event = { ...sums, accountPnl: '0.00', todayPnl: '0.00', version: 1 }
    venue.bus.emit(member.id, 'assets', event)
    expect(await assets).toEqual(event)
    const ended = firstValueFrom(streams.session$)
    const lost = until((connection) => !online(connection))
    const { sessionId } = (await venue.sessions.findBySid(member.sid))!
    await venue.sessions.end(member.id, sessionId, 'revoked')
    expect(await ended).toEqual({ reason: 'revoked' })
    expect((await lost).state).toBe('reconnecting')
    await until(online)
    await firstValueFrom(streams.quote$('A'))
    expect(venue.realtime.counts().sockets).toBe(1)
    streams.reconnect()
    await until(online)
    await firstValueFrom(streams.quote$('B'))
    expect(venue.realtime.counts().sockets).toBe(1)
    expect(venue.reportedErrors).toEqual([])
  })
})
