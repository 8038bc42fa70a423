import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Api, Failure, StoredPlacement, OrderDraft, Order, Placement } from '../../../streams/index.ts'
import { apiFailure } from '../../support/fakeMarket.ts'
import { sampleOrder } from '../../support/sampleOrder.ts'
import { memoryPlacementStore, setup, flushTimers } from '../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const draft: OrderDraft = { productId: 'A', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 }
const outcomes = new Set(['accepted', 'rejected', 'expired'])
const shownWithinMs = 10_000

/** What goes wrong between tap and answer: where the request ends, how its loss is noticed, and how long REST is gone. */
type Trouble = { arrives: boolean; noticed: 'hangs' | 'at once'; restGoneMs: number; reload: boolean }
const troubles: Trouble[] = Array.from({ length: 200 }, (_, n) => ({
  arrives: n % 3 !== 0,
  noticed: n % 2 ? 'hangs' : 'at once',
  restGoneMs: (n * 37) % 4000,
  reload: n % 5 === 0,
}))

it('shows what became of an order within 10 s of its lost answer, 200 times, and never twice', async () => {
  for (const [n, trouble] of troubles.entries()) {
    const orders = new Map<string, Order>()
    const start = Date.now()
    const venueNow = (): number => 1_000_000 + Date.now() - start
    const lost: Failure = { kind: 'offline' }
    const fail = (failure: Failure): Promise<never> =>
      Promise.reject(Object.assign(new Error(failure.kind), failure))
    const api: Partial<Api> = {
      place: (key) => {
        if (trouble.arrives) orders.set(key, sampleOrder({ key, id: key }))
        return trouble.noticed === 'hangs' ? new Promise(() => undefined) : fail(lost)
      },
      orderByKey: (key) => {
        if (Date.now() - start < trouble.restGoneMs) return fail(lost)
        const order = orders.get(key)
        return order ? Promise.resolve(order) : fail(apiFailure(404, 'NOT_FOUND', venueNow()))
      },
    }
    const shelf = memoryPlacementStore()
    const told: Placement[] = []
    const open = () => {
      const parts = setup(['A'], api, shelf)
      parts.transport.answer.clock = (t0) => ({ t0, t1: venueNow(), t2: venueNow() })
      parts.streams.orders.resumed$.subscribe((placement) => told.push(placement))
      parts.transport.up()
      return parts
    }
    let { streams } = open()
    await flushTimers(10)
    streams.orders.place(draft).subscribe((placement) => told.push(placement))
    streams.orders.place(draft).subscribe()
    await flushTimers(100)
    if (trouble.reload) {
      streams.close()
      ;({ streams } = open())
    }
    await flushTimers(shownWithinMs - 100)
    const ends = told.filter(({ state }) => outcomes.has(state))
    expect(
      ends.map(({ state }) => state),
      `trouble ${n}`,
    ).toEqual([trouble.arrives ? 'accepted' : 'expired'])
    expect(orders.size).toBe(trouble.arrives ? 1 : 0)
    expect(shelf.load()).toEqual([] satisfies StoredPlacement[])
    streams.close()
  }
})
