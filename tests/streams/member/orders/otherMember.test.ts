import { Subject, firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Order, Placement } from '../../../../streams/index.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { flushTimers, streamsSetup } from '../../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('gives no answer to one member to the next, whose session began meanwhile', async () => {
  const answers = new Subject<Order>()
  const { streams, transport, placements } = streamsSetup(['A'], { place: () => firstValueFrom(answers) })
  const seen: (Order | Placement)[] = []
  streams.orders.event$.subscribe((order) => seen.push(order))
  streams.orders.outcome$.subscribe((placement) => seen.push(placement))
  transport.up()
  await flushTimers(10)
  streams.orders.place({ productId: 'A', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 })
  const sent = [...placements.stored.keys()]
  expect(sent).toHaveLength(1)
  streams.reconnect()
  answers.next(sampleOrder({ key: sent[0] ?? '' }))
  await flushTimers(10)
  expect(seen).toEqual([])
  expect([...placements.stored.keys()]).toEqual(sent)
  streams.close()
})
