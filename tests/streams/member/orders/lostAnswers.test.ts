import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type {
  Api,
  Failure,
  StoredPlacement,
  OrderDraft,
  Order,
  Placement,
} from '../../../../streams/index.ts'
import { apiFailure } from '../../../support/fakeWireMarket.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { memoryPlacementStore, streamsSetup, flushTimers } from '../../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const draft: OrderDraft = { productId: 'A', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 }
const outcomes = new Set(['accepted', 'rejected', 'expired'])
const shownWithinMs = 10_000

/** A fault between tap and answer: whether the request arrives, how its loss shows, and how long REST is down. */
type Fault = { arrives: boolean; noticed: 'hangs' | 'at once'; restDownMs: number; reload: boolean }
const faults: Fault[] = Array.from({ length: 200 }, (_, n) => ({
  arrives: n % 3 !== 0,
  noticed: n % 2 ? 'hangs' : 'at once',
  restDownMs: (n * 37) % 4000,
  reload: n % 5 === 0,
}))

it('shows the outcome of an order within 10 s of its lost answer, exactly once, for 200 faults', async () => {
  for (const [n, fault] of faults.entries()) {
    const orders = new Map<string, Order>()
    const start = Date.now()
    const venueNow = (): number => 1_000_000 + Date.now() - start
    const lost: Failure = { kind: 'offline' }
    const fail = (failure: Failure): Promise<never> =>
      Promise.reject(Object.assign(new Error(failure.kind), failure))
    const api: Partial<Api> = {
      place: (key) => {
        if (fault.arrives) orders.set(key, sampleOrder({ key, id: key }))
        return fault.noticed === 'hangs' ? new Promise(() => undefined) : fail(lost)
      },
      orderByKey: (key) => {
        if (Date.now() - start < fault.restDownMs) return fail(lost)
        const order = orders.get(key)
        return order ? Promise.resolve(order) : fail(apiFailure(404, 'NOT_FOUND', venueNow()))
      },
    }
    const store = memoryPlacementStore()
    const placements: Placement[] = []
    const open = () => {
      const parts = streamsSetup(['A'], api, store)
      parts.transport.answer.clock = (t0) => ({ t0, t1: venueNow(), t2: venueNow() })
      parts.streams.orders.resumed$.subscribe((placement) => placements.push(placement))
      parts.transport.up()
      return parts
    }
    let { streams } = open()
    await flushTimers(10)
    streams.orders.place(draft).subscribe((placement) => placements.push(placement))
    streams.orders.place(draft).subscribe()
    await flushTimers(100)
    if (fault.reload) {
      streams.close()
      ;({ streams } = open())
    }
    await flushTimers(shownWithinMs - 100)
    const ends = placements.filter(({ state }) => outcomes.has(state))
    expect(
      ends.map(({ state }) => state),
      `fault ${n}`,
    ).toEqual([fault.arrives ? 'accepted' : 'expired'])
    expect(orders.size).toBe(fault.arrives ? 1 : 0)
    expect(store.load()).toEqual([] satisfies StoredPlacement[])
    streams.close()
  }
})
