import { Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { TicksAnswer } from '../../../../../contract/products.ts'
import type { Result } from '../../../../../src/api/result.ts'
import type { TicksQuery } from '../../../../../src/pages/order/chart/liveSteps.ts'
import { createLiveSteps } from '../../../../../src/pages/order/chart/liveSteps.ts'
import type { Tick } from '../../../../../streams/index.ts'

const settledCalls = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** A venue whose log holds one tick each 100 ms, `seq` its number, price 1.00 + its number in units. */
function venue({ logged, pageMax = 5000 }: { logged: number; pageMax?: number }) {
  const tick$ = new Subject<Tick>()
  const asked: TicksQuery[] = []
  const state = { logged, away: false, now: 2000 }
  const ticks = (query: TicksQuery): Promise<Result<TicksAnswer>> => {
    asked.push(query)
    if (state.away) return Promise.resolve({ ok: false, failure: { kind: 'offline' } })
    const all = Array.from({ length: state.logged }, (_, i) => i + 1)
    const wanted = all.filter((seq) => ('from' in query ? seq * 100 >= query.from : seq > query.afterSeq))
    const page = wanted.slice(0, pageMax)
    return Promise.resolve({
      ok: true,
      at: 0,
      value: {
        ticks: page.map((seq) => [seq, seq * 100, (1 + seq / 100).toFixed(2), '1']),
        complete: page.length === wanted.length,
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
  const tell = (seq: number) => tick$.next({ seq, at: seq * 100, price: 100 + seq, size: 1 })
  const prices = () => live.steps().map(({ price }) => price - 100)
  return { live, tell, prices, asked, state, watched: () => tick$.observed }
}

describe('the ticks of a running order', () => {
  it('are those that were there, page by page, and each since', async () => {
    const { live, tell, prices, asked } = venue({ logged: 13, pageMax: 2 })
    const stop = live.start()
    expect(live.state()).toBe('waiting')
    tell(13)
    tell(14)
    await settledCalls()
    tell(15)
    expect(live.state()).toBe('ready')
    expect(prices()).toEqual([10, 11, 12, 13, 14, 15])
    expect(asked).toEqual([{ from: 1000 }, { afterSeq: 11 }])
    stop()
  })

  it('are asked for where one is missing, and come in order', async () => {
    const { live, tell, prices, asked, state } = venue({ logged: 11 })
    live.start()
    await settledCalls()
    state.logged = 14
    tell(14)
    tell(15)
    expect(prices()).toEqual([10, 11])
    await settledCalls()
    expect(prices()).toEqual([10, 11, 12, 13, 14, 15])
    expect(asked).toEqual([{ from: 1000 }, { afterSeq: 11 }])
  })

  it('begin half an hour ago where the order began before', async () => {
    const { live, asked, state } = venue({ logged: 11 })
    state.now = 10_000_000
    live.start()
    await settledCalls()
    expect(asked).toEqual([{ from: 8_200_000 }])
  })

  it('are not made up where the past cannot be had, and are asked for again, though not at every tick', async () => {
    const { live, tell, prices, asked, state } = venue({ logged: 11 })
    state.away = true
    live.start()
    await settledCalls()
    tell(12)
    await settledCalls()
    expect(live.state()).toBe('unavailable')
    expect(prices()).toEqual([])
    expect(asked).toHaveLength(1)
    state.away = false
    state.now += 3000
    tell(13)
    await settledCalls()
    expect(live.state()).toBe('ready')
    expect(prices()).toEqual([10, 11, 12, 13])
    state.logged = 16
    live.backfill()
    await settledCalls()
    expect(prices()).toEqual([10, 11, 12, 13, 14, 15, 16])
  })

  it('let go of the wire, and of an answer that comes later', async () => {
    const { live, prices, watched } = venue({ logged: 11 })
    const stop = live.start()
    expect(watched()).toBe(true)
    stop()
    await settledCalls()
    expect(watched()).toBe(false)
    expect(prices()).toEqual([])
  })
})
