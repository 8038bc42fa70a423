import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Quote } from '../../../streams/index.ts'
import { apiFailure, zeroHash } from '../../support/fakeWireMarket.ts'
import { streamsSetup, flushTimers } from '../../support/streamsSetup.ts'
import { fc } from '../../support/fastCheck.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const subscribing = (calls: { name: string }[]) => calls.filter((call) => call.name !== 'clock')

describe('subscriptions', () => {
  it('are batched, use the strongest mode needed, and end after the grace period', async () => {
    const { transport, streams } = streamsSetup()
    transport.up()
    const quotesA = streams.quote$('A').subscribe()
    const quotesB = streams.quote$('B').subscribe()
    await flushTimers()
    expect(subscribing(transport.calls)).toEqual([{ name: 'subscribe', payload: ['A', 'B'], mode: 'latest' }])
    const ticks = streams.run$('A').subscribe()
    await flushTimers()
    expect(Object.fromEntries(transport.subscribed)).toEqual({ A: 'all', B: 'latest' })
    ticks.unsubscribe()
    await flushTimers(1999)
    expect(transport.subscribed.get('A')).toBe('all')
    await flushTimers(1)
    expect(transport.subscribed.get('A')).toBe('latest')
    quotesA.unsubscribe()
    quotesB.unsubscribe()
    await flushTimers(2000)
    expect(transport.subscribed.size).toBe(0)
  })

  it('send nothing for a subscriber that returns within the grace period', async () => {
    const { transport, streams } = streamsSetup()
    transport.up()
    for (let i = 0; i < 3; i++) {
      const ticks = streams.run$('A').subscribe()
      await flushTimers(100)
      ticks.unsubscribe()
      await flushTimers(1000)
    }
    expect(subscribing(transport.calls)).toHaveLength(1)
  })

  it('are stored, not sent, while the wire is down', async () => {
    const { transport, streams } = streamsSetup()
    const ticksA = streams.run$('A').subscribe()
    const ticksB = streams.run$('B').subscribe()
    await flushTimers()
    expect(transport.calls).toEqual([])
    transport.up()
    await flushTimers()
    transport.down()
    ticksB.unsubscribe()
    await flushTimers(5000)
    transport.calls.length = 0
    transport.up()
    await flushTimers()
    expect(subscribing(transport.calls)).toEqual([{ name: 'subscribe', payload: ['A'], mode: 'all' }])
    ticksA.unsubscribe()
  })

  it('exclude a product that the venue does not know', async () => {
    const { transport, streams } = streamsSetup(['A'])
    transport.up()
    streams.quote$('A').subscribe()
    streams.quote$('X').subscribe()
    await flushTimers()
    expect([...transport.subscribed.keys()]).toEqual(['A'])
    await flushTimers(10_000)
    expect(subscribing(transport.calls)).toHaveLength(2)
  })

  it('are sent again if the answer is invalid', async () => {
    const { transport, streams } = streamsSetup()
    const { subscribe } = transport.answer
    transport.answer.subscribe = () => 'nonsense'
    transport.up()
    streams.quote$('A').subscribe()
    await flushTimers()
    transport.answer.subscribe = subscribe
    await flushTimers(1000)
    expect(subscribing(transport.calls)).toHaveLength(2)
  })

  it('leave no subscription, listener or timer behind', async () => {
    const { transport, market, streams, frame } = streamsSetup()
    transport.up()
    const parts = [
      streams.run$('A').subscribe(),
      streams.quote$('B').subscribe(),
      streams.candles('A', '1m').events$.subscribe(),
      streams.catalog$.subscribe(),
      streams.clock.second$.subscribe(),
      streams.orders.openPnl$.subscribe(),
    ]
    await flushTimers(100)
    market.tick('A', 100)
    market.flush()
    for (const part of parts) part.unsubscribe()
    await flushTimers(2000)
    expect(transport.subscribed.size).toBe(0)
    streams.close()
    await flushTimers(60_000)
    expect(transport.observers()).toBe(0)
    expect(frame.observed).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('ticks', () => {
  it('arrive in order, complete and once, whatever the wire does', async () => {
    const { transport, market, ticksOf } = streamsSetup()
    transport.up()
    const ticks = ticksOf('A')
    await flushTimers()
    for (const how of ['sent', 'lost', 'twice', 'lost', 'lost', 'sent'] as const) {
      market.tick('A', 100)
      market.flush(how)
    }
    await flushTimers()
    expect(ticks).toEqual(market.log.get('A'))
  })

  it('lost at the end are detected by the heartbeat', async () => {
    const { transport, market, ticksOf, passSecond } = streamsSetup()
    transport.up()
    const ticks = ticksOf('A')
    await flushTimers()
    market.tick('A', 100)
    market.flush('lost')
    await passSecond()
    expect(ticks).toEqual(market.log.get('A'))
  })

  it('continue after an outage where they stopped, with new product indices', async () => {
    const { transport, market, ticksOf } = streamsSetup()
    transport.up()
    const ticks = ticksOf('B')
    await flushTimers()
    market.tick('B', 100)
    market.flush()
    transport.down()
    market.tick('B', 101)
    market.tick('B', 102)
    transport.up()
    await flushTimers()
    market.tick('B', 103)
    market.flush()
    await flushTimers()
    expect(ticks).toEqual(market.log.get('B'))
  })

  it('restart from the head if the gap is pruned, or too long to fetch', async () => {
    for (const how of ['pruned', 'long'] as const) {
      const { transport, market, ticksOf } = streamsSetup()
      transport.up()
      const ticks = ticksOf('A')
      await flushTimers()
      market.tick('A', 100)
      market.flush()
      transport.down()
      for (let i = 0; i < (how === 'long' ? 20_001 : 3); i++) market.tick('A', 101)
      if (how === 'pruned') market.prunedBelow = 5
      transport.up()
      await flushTimers()
      const next = market.tick('A', 102)
      market.flush()
      expect(ticks.map(({ seq }) => seq)).toEqual([1, next.seq])
    }
  })

  it('are queued while REST fails', async () => {
    const { transport, market, ticksOf } = streamsSetup()
    transport.up()
    const ticks = ticksOf('A')
    await flushTimers()
    market.failure = { kind: 'offline' }
    market.tick('A', 100)
    market.flush('lost')
    market.tick('A', 101)
    market.flush()
    await flushTimers(900)
    expect(ticks).toEqual([])
    market.tick('A', 102)
    market.flush()
    market.failure = undefined
    await flushTimers(5000)
    expect(ticks).toEqual(market.log.get('A'))
  })

  it('restart if REST never recovers', async () => {
    const { transport, market, ticksOf } = streamsSetup()
    transport.up()
    const ticks = ticksOf('A')
    await flushTimers()
    market.failure = apiFailure(503, 'UNAVAILABLE')
    market.tick('A', 100)
    market.flush('lost')
    market.tick('A', 101)
    market.flush()
    for (let i = 0; i < 60; i++) {
      await flushTimers(1000)
      market.heartbeat()
    }
    expect(ticks.map(({ seq }) => seq)).toEqual([2])
  })

  it('from before an outage are not replayed to a subscriber after it', async () => {
    const { transport, market, streams, frame, ticksOf } = streamsSetup()
    transport.up()
    const first = streams.run$('A').subscribe()
    const quotes: Quote[] = []
    streams.quote$('A').subscribe((quote) => quotes.push(quote))
    await flushTimers()
    market.tick('A', 12_345)
    market.flush()
    frame.next()
    expect(quotes.at(-1)).toMatchObject({ price: 12_345, stale: false })
    transport.down()
    frame.next()
    expect(quotes.at(-1)).toMatchObject({ price: 12_345, stale: true })
    const late = ticksOf('A')
    await flushTimers(1000)
    expect(late).toEqual([])
    market.tick('A', 12_346)
    transport.up()
    await flushTimers()
    const next = market.tick('A', 12_347)
    market.flush()
    expect(late).toEqual([next])
    const later = ticksOf('A')
    expect(later).toEqual([])
    first.unsubscribe()
  })

  it('equal the source after backfill, whatever is cut, lost or duplicated', async () => {
    const action = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('sent', 'sent', 'lost', 'twice') },
      { weight: 1, arbitrary: fc.constantFrom('cut', 'heartbeat', 'wait', 'rest down', 'rest up') },
    )
    const actions = fc.array(fc.tuple(action, fc.integer({ min: 1, max: 4 })), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(actions, async (steps) => {
        const { transport, market, streams, ticksOf, passSecond } = streamsSetup()
        transport.up()
        const ticks = [ticksOf('A'), ticksOf('B')]
        await flushTimers()
        for (const [how, n] of steps) {
          if (how === 'cut') {
            transport.down()
            market.tick('A', 100 + n)
            if (n > 2) await flushTimers(n * 100)
            transport.up()
            await flushTimers()
          } else if (how === 'heartbeat') await passSecond()
          else if (how === 'wait') await flushTimers(n * 300)
          else if (how === 'rest down') market.failure = { kind: 'timeout' }
          else if (how === 'rest up') market.failure = undefined
          else {
            for (let i = 0; i < n; i++) market.tick(i % 2 ? 'A' : 'B', 100 + i, i)
            market.flush(how)
          }
        }
        market.failure = undefined
        for (let i = 0; i < 12; i++) await passSecond()
        expect(ticks).toEqual([market.log.get('A'), market.log.get('B')])
        streams.close()
      }),
      { numRuns: 150 },
    )
  })

  it('of invalid frames are counted and dropped', async () => {
    const { transport, market, streams, ticksOf } = streamsSetup()
    transport.up()
    const ticks = ticksOf('A')
    await flushTimers()
    const bad = [null, 'x', {}, [], [1, 2], [1, 0, 1, 1, 5, 100, 1], [1, 0, 1, 1, 0, -1, 1], [1.5], [[1]]]
    for (const data of bad) transport.event('ticks', data)
    transport.event('feed', { at: 'now' })
    transport.event('figures', [])
    transport.event('hello', 7)
    transport.event('no such event', {})
    transport.event('ticks', [market.now, 4000, 1, 1, 0, 100, 1])
    market.tick('A', 100)
    market.flush()
    expect(ticks).toEqual(market.log.get('A'))
    expect(streams.dropped()).toBe(bad.length + 3)
  })

  it('of a venue that sends no differences are read too', async () => {
    const { transport, market, ticksOf } = streamsSetup()
    transport.up()
    const ticks = ticksOf('A')
    await flushTimers()
    market.tick('A', 100)
    market.tick('A', 101)
    market.flush()
    market.tick('A', 105)
    market.flush('lost')
    const { index } = (await transport.wire.subscribe(['B'], 'all')) as { index: { B: number } }
    transport.event('ticks', [market.now, index.B - 1, 3, 1, 0, 105, 1])
    expect(ticks).toEqual(market.log.get('A'))
  })
})

describe('quotes', () => {
  it('are published once per animation frame, with the move since the previous tick', async () => {
    const { transport, market, frame, streams } = streamsSetup()
    transport.up()
    const quotes: Quote[] = []
    streams.quote$('A').subscribe((quote) => quotes.push(quote))
    await flushTimers()
    frame.next()
    for (const price of [10_001, 10_001]) {
      market.tick('A', price)
      market.flush()
    }
    expect(quotes).toHaveLength(1)
    frame.next()
    market.tick('A', 9999)
    market.flush()
    frame.next()
    frame.next()
    expect(quotes.map(({ price, move, stale }) => [price, move, stale])).toEqual([
      [10_000, 'level', false],
      [10_001, 'level', false],
      [9999, 'down', false],
    ])
  })

  it('are the same object until they change, and request no frame without a change', async () => {
    const { transport, market, frame, streams } = streamsSetup()
    transport.up()
    let notified = 0
    streams.quote$('A').subscribe(() => notified++)
    await flushTimers()
    frame.next()
    const before = streams.lastQuote('A')
    expect(frame.observed).toBe(false)
    market.tick('A', 5)
    market.flush()
    expect(streams.lastQuote('A')).toBe(before)
    frame.next()
    expect(streams.lastQuote('A')).not.toBe(before)
    expect(notified).toBe(2)
  })

  it('take over what changed in a ticker, and ignore changes of an unknown one', async () => {
    const { transport, market, frame, streams } = streamsSetup(['A', 'B'])
    transport.up()
    streams.quote$('A').subscribe()
    await flushTimers()
    const whole = market.ticker('A')
    transport.event('figures', {
      at: market.now,
      f: [
        { id: 'A', volume24h: '77' },
        { id: 'B', volume24h: '5' },
      ],
    })
    frame.next()
    expect(streams.lastQuote('A')?.ticker).toEqual({ ...whole, volume24h: '77' })
    expect(streams.lastQuote('B')).toBeUndefined()
  })

  it('have a high and a low that include the newest price, until the next ticker', async () => {
    const { transport, market, frame, streams } = streamsSetup()
    transport.up()
    streams.quote$('A').subscribe()
    await flushTimers()
    const shown = () => {
      const { price = 0, ticker } = streams.lastQuote('A') ?? {}
      return [price, ticker?.high24h, ticker?.low24h]
    }
    for (const [price, high, low] of [
      [10_250, '102.50', '100.00'],
      [10_200, '102.50', '100.00'],
      [9_900, '102.50', '99.00'],
    ] as const) {
      market.tick('A', price)
      market.flush()
      frame.next()
      expect(shown()).toEqual([price, high, low])
    }
    transport.event('figures', { at: market.now, f: [{ id: 'A', high24h: '102.50', low24h: '98.00' }] })
    frame.next()
    expect(shown()).toEqual([9_900, '102.50', '98.00'])
  })

  it('of a list are live unless a heartbeat says otherwise', async () => {
    const { transport, market, frame, streams } = streamsSetup()
    transport.up()
    streams.quote$('A').subscribe()
    await flushTimers()
    const feeds: unknown[] = []
    for (const p of [{}, { A: { status: 'stale', witness: 'silent' } }, {}]) {
      market.now += 4000
      transport.event('feed', { at: market.now, p })
      frame.next()
      const { feed, witness, stale } = streams.lastQuote('A') ?? {}
      feeds.push([feed, witness, stale])
    }
    expect(feeds).toEqual([
      ['live', undefined, false],
      ['stale', 'silent', true],
      ['live', undefined, false],
    ])
  })

  it('are stale while the feed is down, heartbeats are missing, or the wire is down', async () => {
    const { transport, market, frame, streams, passSecond } = streamsSetup()
    transport.up()
    streams.quote$('A').subscribe()
    streams.quote$('B').subscribe()
    // A heartbeat lists every product in mode `all`, so that silence about one makes it stale.
    streams.run$('B').subscribe()
    const stale = (): unknown => {
      frame.next()
      return [streams.lastQuote('A')?.stale, streams.lastQuote('B')?.stale]
    }
    await flushTimers()
    await passSecond()
    expect(stale()).toEqual([false, false])
    market.heartbeat('down', ['A'])
    expect(stale()).toEqual([true, false])
    market.heartbeat('live')
    expect(stale()).toEqual([false, false])
    for (let i = 0; i < 4; i++) {
      await flushTimers(1000)
      market.now += 1000
      market.heartbeat('live', ['A'])
    }
    expect(stale()).toEqual([false, true])
    await flushTimers(3000)
    expect(stale()).toEqual([true, true])
    market.heartbeat()
    expect(stale()).toEqual([false, false])
    transport.down()
    expect(stale()).toEqual([true, true])
  })
})

describe('witness', () => {
  it('its rejection is part of the quote until a heartbeat without it', async () => {
    const { transport, market, streams, frame } = streamsSetup(['A'])
    transport.up()
    const quotes: Quote[] = []
    streams.quote$('A').subscribe((quote) => quotes.push(quote))
    await flushTimers()
    const state = { watermark: market.now, status: 'live', seq: 0, hash: zeroHash }
    for (const witness of ['silent', 'deviates', undefined]) {
      transport.event('feed', { at: market.now, p: { A: { ...state, witness } } })
      frame.next()
      expect(quotes.at(-1)?.witness).toBe(witness)
    }
  })
})
