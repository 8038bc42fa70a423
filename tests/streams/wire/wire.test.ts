import { WebSocket as WebSocketTransport } from 'engine.io-client'
import { WebSocket as MockWebSocket } from 'mock-socket'
import { Subject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { blockedAfterMs } from '../../../contract/constants.ts'
import {
  createStreams,
  createWire,
  ticksOf,
  type Connection,
  type FindPolling,
  type Quote,
  type Tick,
  type Wire,
  type WireEvent,
} from '../../../streams/index.ts'
import { mockVenue } from './mockVenue.ts'
import { memoryPlacementStore, flushTimers } from '../../support/streamsSetup.ts'

/** The real client's transport over mock-socket; by default it uses the global that it finds when it loads. */
class MockTransport extends WebSocketTransport {
  override createSocket(uri: string): MockWebSocket {
    return new MockWebSocket(uri)
  }
}

/** As in a network that lets no WebSocket through. */
class BlockedTransport extends WebSocketTransport {
  override createSocket(): MockWebSocket {
    return new MockWebSocket('ws://nowhere.test')
  }
}

const url = 'ws://venue.test'
const wireTo = (): Wire => createWire({ url, transports: [MockTransport] })

let venue: ReturnType<typeof mockVenue>
beforeEach(() => {
  vi.useFakeTimers()
  // The client randomises its retry delays.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  venue = mockVenue(`${url}/socket.io/`, ['A', 'B'])
})
afterEach(() => {
  venue.close()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('createWire', () => {
  it('connects on request, answers pings, and emits events', async () => {
    const wire = wireTo()
    const received: WireEvent[] = []
    wire.event$.subscribe((event) => received.push(event))
    await flushTimers(100)
    expect(venue.clients()).toBe(0)
    wire.connect()
    await flushTimers(100)
    venue.ping()
    await flushTimers(100)
    expect(venue.received).toEqual(['40', '3'])
    expect(received).toEqual([
      { kind: 'up' },
      { kind: 'event', name: 'hello', data: { now: venue.market.now, build: 'b', heartbeatMs: 1000 } },
    ])
    expect(await Promise.all([wire.subscribe(['A'], 'latest'), flushTimers(100)])).toMatchObject([
      { ok: true, index: {} },
      undefined,
    ])
    expect(venue.received.at(-1)).toBe('420["subscribe",{"products":["A"],"mode":"latest"}]')
    wire.disconnect()
    await flushTimers(100)
    expect(received.at(-1)).toEqual({ kind: 'down', reason: 'io client disconnect', willRetry: false })
  })

  it('queues nothing while down, and fails a call after five seconds', async () => {
    const wire = wireTo()
    await expect(wire.subscribe(['A'], 'all')).rejects.toThrow('down')
    wire.connect()
    await flushTimers(100)
    expect(venue.received).toEqual(['40'])
    venue.transport.silent = true
    const late = expect(wire.clock(1)).rejects.toThrow('timed out')
    await flushTimers(5000)
    await late
    wire.disconnect()
  })

  it('reconnects by itself after a lost connection', async () => {
    const wire = wireTo()
    const received: string[] = []
    wire.event$.subscribe((event) => received.push(event.kind))
    wire.connect()
    await flushTimers(100)
    venue.dropConnections()
    await flushTimers(3000)
    expect(received).toEqual(['up', 'event', 'down', 'attempt', 'up', 'event'])
    wire.disconnect()
  })

  it('reports a rejection by the venue and does not retry', async () => {
    const wire = wireTo()
    const received: WireEvent[] = []
    wire.event$.subscribe((event) => received.push(event))
    venue.transport.onUp = () => venue.send('44{"message":"FORBIDDEN"}')
    wire.connect()
    await flushTimers(100)
    expect(received[0]).toEqual({ kind: 'down', reason: 'rejected: FORBIDDEN', willRetry: false })
    wire.disconnect()
  })
})

it.each([
  ['allowed', [MockTransport]],
  ['not allowed', undefined],
])('a wire that the venue rejects stays closed where long polling is %s', async (_, found) => {
  const findPolling = vi.fn(async () => found)
  const wire = createWire({ url, transports: [MockTransport], findPolling })
  venue.transport.onUp = () => venue.send('44{"message":"FORBIDDEN"}')
  const received: WireEvent[] = []
  wire.event$.subscribe((event) => received.push(event))
  wire.connect()
  await flushTimers(3 * blockedAfterMs)
  expect(received).toEqual([{ kind: 'down', reason: 'rejected: FORBIDDEN', willRetry: false }])
  expect(findPolling).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
  wire.disconnect()
})

describe('createWire where no WebSocket opens', () => {
  const open = (findPolling: FindPolling) => {
    const asked = vi.fn(findPolling)
    const wire = createWire({ url, transports: [BlockedTransport], findPolling: asked })
    const received: string[] = []
    wire.event$.subscribe(({ kind }) => kind !== 'attempt' && received.push(kind))
    wire.connect()
    return { wire, asked, received }
  }

  it('goes on over long polling after 20 s, if the venue allows it, and tries a WebSocket first after each loss', async () => {
    const { wire, asked, received } = open(async () => [MockTransport])
    await flushTimers(blockedAfterMs - 100)
    expect([asked.mock.calls.length, received]).toEqual([0, []])
    await flushTimers(1000)
    expect([asked.mock.calls.length, received]).toEqual([1, ['up', 'event']])
    await flushTimers(60_000)
    expect(asked).toHaveBeenCalledTimes(1)
    venue.dropConnections()
    await flushTimers(1900)
    expect(received).toEqual(['up', 'event', 'down'])
    await flushTimers(200)
    expect(received).toEqual(['up', 'event', 'down', 'up', 'event'])
    expect(asked).toHaveBeenCalledTimes(2)
    wire.disconnect()
    wire.connect()
    await flushTimers(100)
    expect(received.slice(5)).toEqual(['down', 'up', 'event'])
    expect(asked).toHaveBeenCalledTimes(2)
    wire.disconnect()
  })

  it('goes on over long polling before 30 s where WebSockets are not refused, but hang', async () => {
    class HangingTransport extends WebSocketTransport {
      override doOpen(): this {
        return this
      }
    }
    const wire = createWire({
      url,
      transports: [HangingTransport],
      findPolling: async () => [MockTransport],
    })
    const received: string[] = []
    wire.event$.subscribe(({ kind }) => kind !== 'attempt' && received.push(kind))
    wire.connect()
    await flushTimers(blockedAfterMs + 9500)
    expect(received).toEqual(['up', 'event'])
    wire.disconnect()
  })

  it('asks every 20 s while the venue does not answer or does not allow it, and not once it is disconnected', async () => {
    const { wire, asked, received } = open(async () => undefined)
    await flushTimers(3 * blockedAfterMs + 100)
    expect([asked.mock.calls.length, received]).toEqual([3, []])
    wire.disconnect()
    await flushTimers(3 * blockedAfterMs)
    expect(asked).toHaveBeenCalledTimes(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('goes back to WebSocket if long polling does not open either', async () => {
    let transport: typeof MockTransport = BlockedTransport
    const { wire, asked, received } = open(async () => [transport])
    await flushTimers(blockedAfterMs + 2000)
    expect(received).toEqual([])
    transport = MockTransport
    await flushTimers(blockedAfterMs + 2000)
    expect([asked.mock.calls.length, received]).toEqual([2, ['up', 'event']])
    wire.disconnect()
  })

  it.each(['while the venue is asked', 'once the venue answers'])(
    'keeps a WebSocket that opens %s',
    async (when) => {
      let isBlocked = true
      let polls = 0
      class Transport extends WebSocketTransport {
        override createSocket(uri: string): MockWebSocket {
          return new MockWebSocket(isBlocked ? 'ws://nowhere.test' : uri)
        }
      }
      class Polling extends MockTransport {
        override createSocket(uri: string): MockWebSocket {
          polls += 1
          return super.createSocket(uri)
        }
      }
      let answer = (_transports: [typeof Polling]): void => undefined
      const answered = new Promise<[typeof Polling]>((resolve) => (answer = resolve))
      const wire = createWire({ url, transports: [Transport], findPolling: () => answered })
      const received: string[] = []
      wire.event$.subscribe(({ kind }) => kind !== 'attempt' && received.push(kind))
      wire.connect()
      await flushTimers(blockedAfterMs)
      isBlocked = false
      if (when === 'while the venue is asked') await flushTimers(6000)
      answer([Polling])
      await flushTimers(100)
      expect([polls, received]).toEqual([0, ['up', 'event']])
      wire.disconnect()
    },
  )
})

function streamsOver(wire: Wire) {
  const frame = new Subject<void>()
  venue.transport.answer.clock = (t0) => ({ t0, t1: venue.market.now, t2: venue.market.now })
  const streams = createStreams({
    wire,
    api: venue.market.api,
    placementStore: memoryPlacementStore(),
    newKey: () => 'key',
    monotonic: () => performance.now(),
    animationFrame$: frame,
  })
  return { streams, frame }
}

describe('streams over a wire', () => {
  it('emit ticks without gaps through lost connections, and quotes with correct staleness', async () => {
    const { streams, frame } = streamsOver(wireTo())
    const ticks: Tick[] = []
    const quotes: Quote[] = []
    const connections: Connection[] = []
    streams.connection$.subscribe((connection) => connections.push(connection))
    streams.run$('A').subscribe((run) => ticks.push(...ticksOf(run)))
    streams.quote$('A').subscribe((quote) => quotes.push(quote))
    for (let second = 0; second < 30; second++) {
      if (second % 6 === 5) venue.dropConnections()
      await flushTimers(1000)
      venue.market.now += 1000
      for (const price of [100, 101, 99]) venue.market.tick('A', price + second)
      if (!venue.transport.isUp()) continue
      venue.market.flush(second % 4 === 3 ? 'lost' : 'sent')
      venue.market.heartbeat()
      await flushTimers(50)
      frame.next()
    }
    await flushTimers(5000)
    venue.market.flush()
    venue.market.heartbeat()
    await flushTimers(50)
    frame.next()
    expect(ticks).toEqual(venue.market.log.get('A')!.slice(ticks[0]!.seq - 1))
    expect(ticks.length).toBeGreaterThan(80)
    expect(quotes.at(-1)).toMatchObject({ stale: false, seq: venue.market.log.get('A')!.length })
    expect([...new Set(connections.map(({ state }) => state))]).toEqual([
      'connecting',
      'online',
      'reconnecting',
    ])
    streams.close()
    await flushTimers(100)
    expect(venue.clients()).toBe(0)
  })

  it('are stale within 6 s of a silent outage, every time, and recover by themselves', async () => {
    const { streams, frame } = streamsOver(wireTo())
    streams.quote$('A').subscribe()
    const stale = (): boolean | undefined => {
      frame.next()
      return streams.lastQuote('A')?.stale
    }
    const live = async (seconds: number): Promise<void> => {
      for (let i = 0; i < seconds; i++) {
        await flushTimers(1000)
        venue.market.now += 1000
        if (venue.transport.isUp()) venue.market.heartbeat()
        await flushTimers(10)
      }
    }
    for (let cut = 0; cut < 100; cut++) {
      await live(3)
      expect(stale()).toBe(false)
      // As in a tunnel: the connection stays, but nothing arrives and nothing is answered.
      venue.transport.silent = true
      await flushTimers(3500)
      expect(stale()).toBe(true)
      await flushTimers((cut * 137) % 9000)
      venue.transport.silent = false
      await live(8)
      expect(stale()).toBe(false)
    }
    streams.close()
    await flushTimers(100)
    expect(venue.transport.observers()).toBe(1)
    expect(venue.clients()).toBe(0)
  })
})
