import { expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { order as orderSchema, type Order, type OrderHead } from '../../../../contract/orders.ts'
import { testProduct } from '../../../support/fakeMarket.ts'
import { orderRequest, fetchOrder, tickOnce } from '../../../support/orders.ts'
import { withVenue } from '../../../support/withVenue.ts'
import { withoutBatch } from '../../../support/withoutBatch.ts'

const venue = await withVenue()
await venue.clock.advance(60_000)
tickOnce(venue)

const newestHead = (): OrderHead => ({
  ...venue.market.head(testProduct.id),
  at: epochMs(venue.market.watermark(testProduct.id)),
})

it('returns the newest head with an accepted order, and the same head in a replay', async () => {
  const member = await venue.createMember()
  const request = orderRequest(venue)
  const key = venue.random.uuid()
  const before = newestHead()
  const first = await member.post<Order>('/orders', request, key)
  expect(orderSchema.parse(first.body).head).toEqual(before)

  await venue.clock.advance(1000)
  tickOnce(venue, 10_100)
  await venue.trading.idle()
  expect(newestHead().seq).toBeGreaterThan(before.seq)
  const again = await member.post<Order>('/orders', request, key)
  expect([again.replayed, withoutBatch(again.text)]).toEqual([true, withoutBatch(first.text)])
  // An order that is read later has no head: it would not prove what was shown at the acceptance.
  expect(await fetchOrder(member, first.body.id)).not.toHaveProperty('head')
})

it('publishes each order event with the newest head of that moment', async () => {
  const member = await venue.createMember()
  const { body } = await member.post<Order>('/orders', orderRequest(venue))
  const accepted = newestHead()
  await venue.clock.advance(1000)
  tickOnce(venue, 10_200)
  await venue.trading.idle()
  const opened = newestHead()
  await venue.clock.advanceTo(body.closeAt)
  tickOnce(venue, 10_300)
  await venue.trading.idle()
  const events = venue.bus.eventsFor<Order>(member.id, 'order')
  expect(events.map(({ status, head }) => [status, head])).toEqual([
    ['accepted', accepted],
    ['open', opened],
    ['won', newestHead()],
  ])
  expect(events.map((order) => orderSchema.parse(order))).toEqual(events)
})
