import { Subject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TickFrame } from '../../../contract/tickFrame.ts'
import { createRecentFrames, keptMs, keptTicksMax } from '../../../streams/prices/recentFrames.ts'
import { flushTimers, streamsSetup } from '../../support/streamsSetup.ts'

const scaleOf = () => ({ priceDecimals: 2, sizeDecimals: 0 })
const frameOf = (seq0: number, ticks = 1, ix = 0): TickFrame => ({
  at: seq0,
  blocks: [{ ix, seq0, values: Array.from({ length: ticks }, () => [seq0, 10_000, 1]).flat() }],
})

describe('createRecentFrames', () => {
  it.each([
    { arrivals: [0, 4000, 10_000], kept: [0, 4000, 10_000] },
    { arrivals: [0, 4000, 10_001], kept: [4000, 10_001] },
    { arrivals: [0, 4000, 70_000], kept: [70_000] },
    { arrivals: [], kept: [] },
  ])('keeps of frames at $arrivals those at $kept, also when no more arrive', ({ arrivals, kept }) => {
    const frame$ = new Subject<TickFrame>()
    let now = 0
    const frames = createRecentFrames({ frame$, ids: () => ['A'], scaleOf, monotonic: () => now })
    for (const [n, arrival] of arrivals.entries()) {
      now = arrival
      frame$.next(frameOf(n + 1))
    }
    now += 60 * keptMs
    expect(frames.recent(0).frames.map(({ receivedAt }) => receivedAt)).toEqual(kept)
  })

  it('keeps no more ticks than its bound, however many arrive in a moment', () => {
    const frame$ = new Subject<TickFrame>()
    const frames = createRecentFrames({ frame$, ids: () => ['A'], scaleOf, monotonic: () => 5 })
    for (let seq0 = 1; seq0 <= 10 * keptTicksMax; seq0 += 1000) frame$.next(frameOf(seq0, 1000))
    const newest = frames.recent(0).frames
    expect(newest).toHaveLength(keptTicksMax / 1000)
    expect(newest.at(-1)!.blocks[0]!.seq0).toBe(10 * keptTicksMax - 999)
    frames.close()
    expect(frame$.observed).toBe(false)
  })

  it('names products as the connection did on which a frame came, and leaves out what it cannot name', () => {
    const frame$ = new Subject<TickFrame>()
    let ids = ['A', 'B']
    const frames = createRecentFrames({
      frame$,
      ids: () => ids,
      scaleOf: (id) => (id === 'B' ? undefined : scaleOf()),
      monotonic: () => 5,
    })
    frame$.next(frameOf(1, 1, 0))
    frame$.next(frameOf(2, 1, 1))
    frame$.next(frameOf(3, 1, 9))
    ids = ['C']
    frame$.next(frameOf(4, 1, 0))
    const { products, frames: named } = frames.recent(1000)
    expect(products.map(({ id }) => id)).toEqual(['A', 'C'])
    expect(named.map(({ receivedAt, blocks }) => [receivedAt, blocks[0]!.id, blocks[0]!.seq0])).toEqual([
      [1005, 'A', 1],
      [1005, 'C', 4],
    ])
  })
})

describe('recentFrames', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('has the prices that the socket received, by the venue’s clock, and nothing of the member', async () => {
    const { transport, market, streams, passSecond } = streamsSetup()
    transport.up()
    const table = streams.catalog$.subscribe()
    const watching = streams.run$('A').subscribe()
    await passSecond()
    market.tick('A', 10_001)
    market.tick('A', 10_002)
    await passSecond()
    for (const name of ['order', 'assets', 'ledger', 'message', 'service', 'deposit'])
      transport.event(name, { id: 'personal', version: 1 })
    transport.event('ticks', ['personal'])
    watching.unsubscribe()
    table.unsubscribe()
    await flushTimers(3000)
    const { products, frames } = streams.recentFrames()
    expect(products).toEqual([{ id: 'A', priceDecimals: 2, sizeDecimals: 0 }])
    const [tick] = market.log.get('A')!
    expect(frames).toEqual([
      {
        receivedAt: frames[0]!.receivedAt,
        blocks: [{ id: 'A', seq0: 1, values: [tick!.at, 10_001, 1, tick!.at, 10_002, 1] }],
      },
    ])
    expect(Math.abs(frames[0]!.receivedAt - market.now)).toBeLessThan(1000)
    expect(JSON.stringify(frames)).not.toContain('personal')
    streams.close()
    await flushTimers(60_000)
    expect(transport.observers()).toBe(0)
  })
})
