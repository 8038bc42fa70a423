import { Subject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStreams } from '../../streams/index.ts'
import type { Quote, Streams, Tick } from '../../streams/index.ts'
import { handMarket } from '../support/market.ts'
import { handWire } from '../support/wire.ts'

const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

function setUp(ids = ['A', 'B']) {
  const hand = handWire()
  const market = handMarket(hand, ids)
  const frame = new Subject<void>()
  const streams: Streams = createStreams({
    wire: hand.wire,
    api: market.api,
    intents: { load: () => [], save: () => undefined, drop: () => undefined },
    newKey: () => 'key',
    monotonic: () => performance.now(),
    frame$: frame,
  })
  const seen = (id: string): Tick[] => {
    const ticks: Tick[] = []
    streams.tick$(id).subscribe((tick) => ticks.push(tick))
    return ticks
  }
  return { hand, market, frame, streams, seen }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('subscriptions', () => {
  it('travel together, in the strongest mode that somebody needs, and end after the grace', async () => {
    const { hand, streams } = setUp()
    hand.up()
    const leaveA = streams.quotes.watch('A', () => undefined)
    const leaveB = streams.quotes.watch('B', () => undefined)
    await settle()
    expect(hand.calls.filter((call) => call.name !== 'clock')).toEqual([
      { name: 'subscribe', payload: ['A', 'B'], mode: 'latest' },
    ])
    const ticks = streams.tick$('A').subscribe()
    await settle()
    expect([...hand.subscribed]).toEqual([
      ['A', 'all'],
      ['B', 'latest'],
    ])
    ticks.unsubscribe()
    await settle(1999)
    expect(hand.subscribed.get('A')).toBe('all')
    await settle(1)
    expect(hand.subscribed.get('A')).toBe('latest')
    leaveA()
    leaveB()
    await settle(2000)
    expect(hand.subscribed.size).toBe(0)
  })
})

describe('ticks', () => {
  it('come in order, without a hole and once, whatever the wire does', async () => {
    const { hand, market, seen } = setUp()
    hand.up()
    const ticks = seen('A')
    await settle()
    market.tick('A', 100)
    market.flush()
    market.tick('A', 101)
    market.flush('lost')
    market.tick('A', 102)
    market.flush('twice')
    market.tick('A', 103)
    market.flush()
    await settle()
    expect(ticks).toEqual(market.log.get('A'))
  })
})

describe('quotes', () => {
  it('are flushed once a frame, with the move against the tick before', async () => {
    const { hand, market, frame, streams } = setUp()
    hand.up()
    const quotes: Quote[] = []
    streams.quote$('A').subscribe((quote) => quotes.push(quote))
    await settle()
    frame.next()
    market.tick('A', 10_001)
    market.flush()
    market.tick('A', 10_001)
    market.flush()
    expect(quotes).toHaveLength(1)
    frame.next()
    expect(quotes.map(({ price, move, stale }) => ({ price, move, stale }))).toEqual([
      { price: 10_000, move: 'level', stale: false },
      { price: 10_001, move: 'level', stale: false },
    ])
  })
})
