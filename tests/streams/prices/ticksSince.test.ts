import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ticksOf, type Failure, type Tick, type TicksQuery } from '../../../streams/index.ts'
import { streamsSetup, flushTimers } from '../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A market with `logged` ticks, one every 100 ms, and the ticks of its product since the third. */
function setupTicks({ logged = 12 } = {}) {
  const queries: TicksQuery[] = []
  const parts = streamsSetup(['A'], {
    ticks: (id, query) => {
      queries.push(query)
      return parts.market.api.ticks(id, query)
    },
  })
  const { market, streams } = parts
  const start = market.now
  const trade = (count: number): void => {
    for (let i = 0; i < count; i++) {
      market.now += 100
      market.tick('A', 10_000 + i)
    }
  }
  trade(logged)
  const from = start + 250
  const received: Tick[] = []
  const failures: Failure[] = []
  const subscription = streams.ticksSince$('A', from).subscribe((event) => {
    if (event.kind === 'run') received.push(...ticksOf(event.run))
    else failures.push(event.failure)
  })
  const expected = () => market.log.get('A')!.filter((tick) => tick.at >= from)
  return { ...parts, from, trade, received, failures, queries, expected, subscription }
}

describe('ticksSince$', () => {
  it('emits the logged ticks from the instant on, then the live ones', async () => {
    const { transport, market, trade, received, queries, expected, from } = setupTicks()
    transport.up()
    await flushTimers()
    expect(received.map(({ seq }) => seq)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    trade(3)
    market.flush()
    expect(received).toEqual(expected())
    expect(queries).toEqual([{ from }])
  })

  it('loads a long history page by page', async () => {
    const { transport, trade, market, received, queries, expected, from } = setupTicks({ logged: 12_000 })
    transport.up()
    await flushTimers()
    trade(1)
    market.flush()
    expect(received).toEqual(expected())
    expect(queries).toEqual([{ from }, { afterSeq: 5002 }, { afterSeq: 10_002 }])
  })

  it('has no gap after an outage, even one that is too long for the hub', async () => {
    const { transport, market, trade, received, expected } = setupTicks()
    transport.up()
    await flushTimers()
    for (const missed of [3, 20_100]) {
      transport.down()
      trade(missed)
      transport.up()
      await flushTimers()
      trade(1)
      market.flush()
      expect(received).toEqual(expected())
    }
  })

  it('continues after missing ticks that are pruned', async () => {
    const { transport, market, trade, received, expected, failures } = setupTicks()
    transport.up()
    await flushTimers()
    transport.down()
    trade(5)
    market.prunedBelow = 16
    transport.up()
    await flushTimers()
    trade(1)
    market.flush()
    await flushTimers()
    expect(received).toEqual(expected().filter(({ seq }) => seq <= 12 || seq > 17))
    expect(failures).toEqual([])
  })

  it('emits that the history cannot be loaded, and retries', async () => {
    const { transport, market, trade, received, expected, failures } = setupTicks()
    market.failure = { kind: 'timeout' }
    transport.up()
    await flushTimers(100)
    expect([received, failures]).toEqual([[], [{ kind: 'timeout' }]])
    trade(2)
    market.flush()
    market.failure = undefined
    await flushTimers(1000)
    expect(received).toEqual(expected())
  })

  it('is empty until the first tick of a product that has none', async () => {
    const { transport, market, trade, received } = setupTicks({ logged: 0 })
    transport.up()
    await flushTimers()
    expect(received).toEqual([])
    trade(4)
    market.flush()
    expect(received).toEqual(market.log.get('A'))
  })

  it('releases the product at the end', async () => {
    const { transport, subscription, received, trade, market } = setupTicks()
    transport.up()
    await flushTimers()
    subscription.unsubscribe()
    const before = received.length
    trade(1)
    market.flush()
    await flushTimers(2000)
    expect([received.length, transport.subscribed.size]).toEqual([before, 0])
  })
})
