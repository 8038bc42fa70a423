import { filter, firstValueFrom, mergeMap, take, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStreams, createWire, ticksOf } from '../../streams/index.ts'
import type { Connection, Streams } from '../../streams/index.ts'
import { openRealtimeVenue } from '../support/realtimeVenue.ts'
import type { RealtimeVenue } from '../support/realtimeVenue.ts'
import { fakeWireMarket } from '../support/fakeWireMarket.ts'
import { memberHeaders, singleMemberAuthenticator } from '../support/httpApp.ts'
import { memoryPlacementStore } from '../support/streamsSetup.ts'
import { fakeWire } from '../support/fakeWire.ts'

// The venue's sockets and the real client over a real port, so that the mocks' frames cannot drift from them.
let venue: RealtimeVenue
let streams: Streams
let session: 'live' | 'ended'
beforeEach(async () => {
  session = 'live'
  const bySid = (sid: string): ReturnType<typeof singleMemberAuthenticator.findBySid> =>
    session === 'live' ? singleMemberAuthenticator.findBySid(sid) : Promise.resolve(null)
  venue = await openRealtimeVenue(['A', 'B'], {
    authenticator: { ...singleMemberAuthenticator, findBySid: bySid },
  })
  streams = createStreams({
    wire: createWire({ url: venue.url, headers: memberHeaders }),
    api: fakeWireMarket(fakeWire(), ['A', 'B']).api,
    placementStore: memoryPlacementStore(),
    newKey: () => 'key',
    monotonic: () => performance.now(),
  })
})
afterEach(async () => {
  streams.close()
  await venue.close()
})

const online = (connection: Connection): boolean => connection.state === 'online'
const until = (matches: (connection: Connection) => boolean): Promise<Connection> =>
  firstValueFrom(streams.connection$.pipe(filter(matches)))

describe('against the real sockets', () => {
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
    venue.members.emit('m', 'assets', event)
    expect(await assets).toEqual(event)
    const ended = firstValueFrom(streams.session$)
    session = 'ended'
    const lost = until((connection) => !online(connection))
    venue.members.endSession('s', 'revoked')
    expect(await ended).toEqual({ reason: 'revoked' })
    expect((await lost).state).toBe('reconnecting')
    await until(online)
    await firstValueFrom(streams.quote$('A'))
    expect(venue.realtime.counts().sockets).toBe(1)
    streams.reconnect()
    await until(online)
    await firstValueFrom(streams.quote$('B'))
    expect(venue.realtime.counts().sockets).toBe(1)
    expect(venue.errors).toEqual([])
  })
})
