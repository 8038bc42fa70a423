import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { FeedEvent, TickerEvent, SubscribeReply } from '../../../../contract/socket.ts'
import type { Ticker } from '../../../../contract/products.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import type { SocketClient } from '../../../support/socketClients.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

const database = await withDatabase()

let venue: TestVenue
let client: SocketClient
beforeEach(async () => {
  venue = await openTestVenue(database, { productIds: ['A', 'B', 'C'] })
  client = await venue.connect()
})
afterEach(() => venue.close())

const subscribe = (products: string[], mode?: string, by = client) =>
  by.request<Extract<SubscribeReply, { ok: true }>>('subscribe', { products, ...(mode && { mode }) })
/** (ix, seq) of every received tick, in order. */
const seqs = (by = client): [number, number][] =>
  by
    .frames()
    .flatMap(({ blocks }) =>
      blocks.flatMap(({ ix, seq0, values }) =>
        Array.from({ length: values.length / 3 }, (_, i): [number, number] => [ix, seq0 + i]),
      ),
    )
const now = () => venue.clock.now()

it('sends the time and the build in hello and answers clock requests', async () => {
  expect(client.eventsOf('hello')).toEqual([{ now: now(), build: 'dev', heartbeatMs: 1000 }])
  expect(await client.request('clock', 17.5)).toEqual({ t0: 17.5, t1: now(), t2: now() })
  expect(await client.request('clock', 'x')).toEqual({ ok: false, code: 'VALIDATION' })
})

it('answers a subscription with product numbers, quotes and heads', async () => {
  venue.market.flushPrices({ A: [10_050, 10_051] })
  const reply = await subscribe(['B', 'A', 'A'])
  expect(reply).toMatchObject({ ok: true, index: { A: 1, B: 2 }, heads: { A: { seq: 2 }, B: { seq: 0 } } })
  expect(reply.quotes).toEqual([venue.market.ticker('B'), venue.market.ticker('A')])
})

it('rejects a subscription with an unknown product as a whole', async () => {
  const rejection = { ok: false, code: 'NOT_FOUND', products: ['X', 'no such', '__proto__'] }
  expect(await subscribe(['A', 'X', 'no such', '__proto__'])).toEqual(rejection)
  venue.market.flushPrices({ A: [1] })
  await client.sync()
  expect(client.frames()).toEqual([])
})

it.each([
  [{ products: [] }],
  [{ products: ['x'.repeat(65)] }],
  [{ products: ['A'], mode: 'some' }],
  [{ products: ['A'], more: 1 }],
  [null],
  ['A'],
])('rejects the malformed subscription %j', async (request) => {
  expect(await client.request('subscribe', request)).toEqual({ ok: false, code: 'VALIDATION' })
})

describe('subscription during flushes', () => {
  it('receives every tick after its head once and none before it', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => venue.connect()))
    const state = { isStopped: false }
    const flushing = (async () => {
      for (let i = 0; !state.isStopped || i < 50; i++) {
        venue.market.flushPrices({ A: [10_000 + i, 10_001 + i], B: [5] }, now() + i)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const heads = await Promise.all(clients.map((each) => subscribe(['A', 'B'], 'all', each)))
    state.isStopped = true
    await flushing
    for (const [i, each] of clients.entries()) {
      await each.sync()
      for (const [id, ix] of [
        ['A', 1],
        ['B', 2],
      ] as const) {
        const from = heads[i]!.heads[id]!.seq
        const to = venue.market.head(id).seq
        const received = seqs(each).flatMap(([tickIx, seq]) => (tickIx === ix ? [seq] : []))
        expect(received).toEqual(Array.from({ length: to - from }, (_, k) => from + 1 + k))
      }
    }
  })

  it('receives the acknowledgement before the first frame', async () => {
    const order: string[] = []
    client.socket.on('ticks', () => order.push('ticks'))
    await subscribe(['A']).then(() => order.push('ack'))
    venue.market.flushPrices({ A: [1] })
    await client.sync()
    expect(order).toEqual(['ack', 'ticks'])
  })
})

it('receives frames after the events that were sent before them, though those are still queued', async () => {
  await subscribe(['A'])
  client.received.length = 0
  const closeAndTrade = (price: number): void => {
    venue.market.setTradingHours({ status: 'closed', opensAt: now() + price, closesAt: null }, 'A')
    venue.market.flushPrices({ A: [price] })
  }
  for (const price of [1, 2, 3]) closeAndTrade(price)
  await client.sync()
  const order = client.received.map(([event, payload]) =>
    event === 'ticks' ? (payload as number[])[5] : -((payload as { opensAt: number }).opensAt - now()),
  )
  expect(order).toEqual([-1, 1, -2, 2, -3, 3])
})

describe('subscription modes', () => {
  it('send the newest tick in mode latest and every tick in mode all', async () => {
    await subscribe(['A', 'B'], 'latest')
    await subscribe(['B', 'C'], 'all')
    venue.market.flushPrices({ A: [1, 2, 3], B: [4, 5], C: [6] })
    await client.sync()
    expect(client.frames()).toEqual([
      {
        at: now(),
        blocks: [
          { ix: 2, seq0: 1, values: [now(), 4, 1, now(), 5, 1] },
          { ix: 3, seq0: 1, values: [now(), 6, 1] },
          { ix: 1, seq0: 3, values: [now(), 3, 1] },
        ],
      },
    ])
  })

  it('send the newest ticks of mode latest at most every 250 ms, and before a heartbeat', async () => {
    await subscribe(['A', 'B'], 'latest')
    for (let i = 1; i <= 8; i++) {
      venue.market.flushPrices({ A: [i] }, now() + i * 100)
    }
    venue.market.flushPrices({ B: [9] }, now() + 810)
    await client.sync()
    expect(seqs()).toEqual([
      [1, 1],
      [1, 4],
      [1, 7],
    ])
    client.received.length = 0
    await venue.clock.advance(1000)
    await client.sync()
    expect(client.received.map(([event]) => event)).toEqual(['ticks', 'figures', 'feed'])
    expect(seqs()).toEqual([
      [1, 8],
      [2, 1],
    ])
  })

  it('send the newest ticks of mode latest before other products are subscribed', async () => {
    await subscribe(['A', 'B'], 'latest')
    venue.market.flushPrices({ A: [1] })
    venue.market.flushPrices({ A: [2], B: [3] }, now() + 100)
    await subscribe(['C'], 'all')
    expect(seqs()).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ])
  })

  it('send nothing after the subscription has ended', async () => {
    await subscribe(['A', 'B'])
    expect(await client.request('unsubscribe', { products: ['A', 'C'] })).toEqual({ ok: true })
    venue.market.flushPrices({ A: [1], B: [2] })
    await client.sync()
    expect(seqs()).toEqual([[2, 1]])
    await client.request('unsubscribe', { products: ['B'] })
    expect(venue.realtime.counts().subscriptionGroups).toBe(0)
  })
})

it('sends at most 4,096 ticks per frame and the rest in frames with the same instant', async () => {
  await subscribe(['A', 'B'])
  venue.market.flushPrices({
    A: Array.from({ length: 6000 }, (_, i) => i + 1),
    B: Array.from({ length: 4000 }, () => 7),
  })
  await client.sync()
  const sizes = client.frames().map(({ at, blocks }) => {
    expect(at).toBe(now())
    return blocks.reduce((sum, { values }) => sum + values.length / 3, 0)
  })
  expect(sizes).toEqual([4096, 4096, 1808])
  expect(seqs()).toEqual([
    ...Array.from({ length: 6000 }, (_, i) => [1, i + 1]),
    ...Array.from({ length: 4000 }, (_, i) => [2, i + 1]),
  ])
})

describe('sockets that ask for differences', () => {
  it('receive the same ticks as the others, in every mode, as `delta` only', async () => {
    const delta = await venue.connect({}, { query: { ticks: 'delta' } })
    for (const by of [client, delta]) {
      await subscribe(['A', 'B'], 'all', by)
      await subscribe(['C'], 'latest', by)
    }
    expect(venue.realtime.counts().subscriptionGroups).toBe(2)
    for (let i = 1; i <= 4; i++)
      venue.market.flushPrices({ A: [1000 * i, 1000 * i - 3], B: [7], C: [5, 6 + i] }, now() + i * 100)
    await venue.clock.advance(1000)
    for (const by of [client, delta]) await by.sync()
    expect(delta.frames()).toEqual(client.frames())
    expect(delta.frames()).toHaveLength(4)
    expect([client.eventsOf('delta'), delta.eventsOf('ticks')]).toEqual([[], []])
    expect(delta.eventsOf('feed')).toEqual(client.eventsOf('feed'))
    const [first] = delta.eventsOf<number[]>('delta')
    expect(first).toEqual([
      expect.any(Number),
      1,
      1,
      2,
      0,
      1000,
      1,
      0,
      -3,
      1,
      2,
      1,
      1,
      0,
      7,
      1,
      3,
      2,
      1,
      0,
      7,
      1,
    ])
  })
})

describe('heartbeat', () => {
  it('sends the changed tickers of subscribed products, then the feed state', async () => {
    await subscribe(['A', 'B'])
    await venue.clock.advance(1000)
    await client.sync()
    client.received.length = 0
    await venue.clock.advance(1000)
    await client.sync()
    expect(client.received.map(([event]) => event)).toEqual(['feed'])

    client.received.length = 0
    venue.market.flushPrices({ B: [123], C: [5] })
    await venue.clock.advance(1000)
    await client.sync()
    expect(client.received.map(([event]) => event)).toEqual(['ticks', 'figures', 'feed'])
    expect(client.eventsOf<TickerEvent>('figures')).toEqual([{ at: now(), f: [venue.market.ticker('B')] }])
    const { A, B } = { A: venue.market.head('A'), B: venue.market.head('B') }
    const watermark = now() - 1000
    expect(client.eventsOf<FeedEvent>('feed')).toEqual([
      { at: now(), p: { A: { watermark, status: 'live', ...A }, B: { watermark, status: 'live', ...B } } },
    ])
  })

  it('sends the fields that changed each two seconds, and no state of a live product, in mode latest', async () => {
    await subscribe(['A', 'B'], 'latest')
    await venue.clock.advance(1000)
    await client.sync()
    const whole = [venue.market.ticker('A'), venue.market.ticker('B')]
    expect(client.eventsOf<TickerEvent>('figures')).toEqual([{ at: now(), f: whole }])
    expect(client.eventsOf<FeedEvent>('feed')[0]?.p).toEqual({})

    client.received.length = 0
    const before = { ...venue.market.ticker('B') }
    venue.market.flushPrices({ B: [123] })
    await venue.clock.advance(1000)
    await client.sync()
    expect(client.eventsOf<TickerEvent>('figures')).toEqual([])
    await venue.clock.advance(1000)
    await client.sync()
    const after = venue.market.ticker('B')
    const changes = Object.entries(after).filter(([field, value]) => before[field as keyof Ticker] !== value)
    expect(changes.map(([field]) => field)).toContain('last')
    expect(changes.map(([field]) => field)).not.toContain('status')
    const [event] = client.eventsOf<TickerEvent>('figures')
    expect(event?.f).toEqual([{ id: 'B', ...Object.fromEntries(changes) }])
  })

  it('sends whole tickers once to a client that joins others, though nothing changed since the last heartbeat', async () => {
    await subscribe(['A'], 'latest')
    await venue.clock.advance(2000)
    const late = await venue.connect()
    await subscribe(['A'], 'latest', late)
    await venue.clock.advance(2000)
    await late.sync()
    expect(late.eventsOf<TickerEvent>('figures').map(({ f }) => f)).toEqual([[venue.market.ticker('A')]])
    expect(client.eventsOf<TickerEvent>('figures')).toHaveLength(1)
  })

  it('sends nothing to clients without subscriptions', async () => {
    await venue.clock.advance(3000)
    await client.sync()
    expect(client.received.map(([event]) => event)).toEqual(['hello'])
  })
})

it('publishes the closing of a product at once', async () => {
  const tradingHours = { status: 'closed', opensAt: 5, closesAt: null } as const
  venue.market.setTradingHours(tradingHours, 'A')
  await client.sync()
  expect(client.eventsOf('product')).toEqual([{ id: 'A', ...tradingHours }])
})

it('publishes the site notice to every client', async () => {
  venue.realtime.publishNotice({ siteStatus: 'maintenance', until: epochMs(9) })
  await client.sync()
  expect(client.eventsOf('notice')).toEqual([{ siteStatus: 'maintenance', until: 9 }])
})

it('groups clients with the same subscriptions and releases everything when they leave', async () => {
  const others = await Promise.all([venue.connect(), venue.connect()])
  await subscribe(['A', 'B'])
  await subscribe(['B'], 'all', others[0])
  await subscribe(['A'], 'all', others[0])
  await subscribe(['A', 'B'], 'latest', others[1])
  expect(venue.realtime.counts()).toMatchObject({ sockets: 3, subscriptionGroups: 2 })
  for (const { socket } of [client, ...others]) socket.disconnect()
  await expect.poll(() => venue.realtime.counts()).toMatchObject({ sockets: 0, subscriptionGroups: 0 })
  await venue.close()
  expect(venue.market.listeners()).toBe(0)
  expect(venue.clock.pending()).toBe(0)
})
