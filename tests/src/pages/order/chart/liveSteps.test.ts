import { Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { TicksAnswer } from '../../../../../contract/products.ts'
import type { Result } from '../../../../../src/api/result.ts'
import type { TicksQuery } from '../../../../../src/pages/order/chart/liveSteps.ts'
import { createLiveSteps } from '../../../../../src/pages/order/chart/liveSteps.ts'
import type { Tick } from '../../../../../streams/index.ts'

const flushCalls = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** A venue whose log has one tick every 100 ms, with the price 1.00 + `seq` in units. */
function venue({ logged, pageMax = 5000 }: { logged: number; pageMax?: number }) {
  const tick$ = new Subject<Tick>()
  const requests: TicksQuery[] = []
  const state = { logged, unreachable: false, now: 2000 }
  const ticks = (query: TicksQuery): Promise<Result<TicksAnswer>> => {
    requests.push(query)
    if (state.unreachable) return Promise.resolve({ ok: false, failure: { kind: 'offline' } })
    const all = Array.from({ length: state.logged }, (_, i) => i + 1)
    const matching = all.filter((seq) => ('from' in query ? seq * 100 >= query.from : seq > query.afterSeq))
    const page = matching.slice(0, pageMax)
    return Promise.resolve({
      ok: true,
      at: 0,
      value: {
        ticks: page.map((seq) => [seq, seq * 100, (1 + seq / 100).toFixed(2), '1']),
        complete: page.length === matching.length,
        before: null,
      },
    })
  }
  const live = createLiveSteps({
    tick$,
    ticks,
    window: { from: 1000, to: 11_000 },
    priceDecimals: 2,
    now: () => state.now,
  })
  const emitTick = (seq: number) => tick$.next({ seq, at: seq * 100, price: 100 + seq, size: 1 })
  const prices = () => live.steps().map(({ price }) => price - 100)
  return { live, emitTick, prices, requests, state, isObserved: () => tick$.observed }
}

describe('createLiveSteps', () => {
  it('loads the history page by page and adds every later tick', async () => {
    const { live, emitTick, prices, requests } = venue({ logged: 13, pageMax: 2 })
    const stop = live.start()
    expect(live.state()).toBe('waiting')
    emitTick(13)
    emitTick(14)
    await flushCalls()
    emitTick(15)
    expect(live.state()).toBe('ready')
    expect(prices()).toEqual([10, 11, 12, 13, 14, 15])
    expect(requests).toEqual([{ from: 1000 }, { afterSeq: 11 }])
    stop()
  })

  it('fetches missing ticks and keeps the order', async () => {
    const { live, emitTick, prices, requests, state } = venue({ logged: 11 })
    live.start()
    await flushCalls()
    state.logged = 14
    emitTick(14)
    emitTick(15)
    expect(prices()).toEqual([10, 11])
    await flushCalls()
    expect(prices()).toEqual([10, 11, 12, 13, 14, 15])
    expect(requests).toEqual([{ from: 1000 }, { afterSeq: 11 }])
  })

  it('begins half an hour ago if the order is older', async () => {
    const { live, requests, state } = venue({ logged: 11 })
    state.now = 10_000_000
    live.start()
    await flushCalls()
    expect(requests).toEqual([{ from: 8_200_000 }])
  })

  it('has no steps while the history cannot be loaded, and retries, but not on every tick', async () => {
    const { live, emitTick, prices, requests, state } = venue({ logged: 11 })
    state.unreachable = true
    live.start()
    await flushCalls()
    emitTick(12)
    await flushCalls()
    expect(live.state()).toBe('unavailable')
    expect(prices()).toEqual([])
    expect(requests).toHaveLength(1)
    state.unreachable = false
    state.now += 3000
    emitTick(13)
    await flushCalls()
    expect(live.state()).toBe('ready')
    expect(prices()).toEqual([10, 11, 12, 13])
    state.logged = 16
    live.backfill()
    await flushCalls()
    expect(prices()).toEqual([10, 11, 12, 13, 14, 15, 16])
  })

  it('unsubscribes on stop and ignores a later answer', async () => {
    const { live, prices, isObserved } = venue({ logged: 11 })
    const stop = live.start()
    expect(isObserved()).toBe(true)
    stop()
    await flushCalls()
    expect(isObserved()).toBe(false)
    expect(prices()).toEqual([])
  })
})
