import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Order, OrderHead } from '../../../contract/orders.ts'
import { order as orderSchema } from '../../../contract/orders.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { openHouse } from '../../support/house.ts'
import type { House } from '../../support/house.ts'
import { testProduct } from '../../support/market.ts'
import { intent, orderNow, quote } from '../../support/orders.ts'

let database: Database
let house: House
beforeAll(async () => {
  database = await openMemoryDatabase()
  house = await openHouse(database)
  await house.clock.advance(60_000)
  quote(house)
  await house.trading.start()
})
afterAll(async () => {
  await house.trading.stop()
  await house.close()
  await database.close()
})

const newestHead = (): OrderHead => ({
  ...house.market.head(testProduct.id),
  at: house.market.watermark(testProduct.id),
})

it('the answer to an order carries the newest head, and a replay hands out the same one', async () => {
  const member = await house.join()
  const asked = intent(house)
  const key = house.random.uuid()
  const before = newestHead()
  const first = await member.post<Order>('/orders', asked, key)
  expect(orderSchema.parse(first.body).head).toEqual(before)

  await house.clock.advance(1000)
  quote(house, 10_100)
  await house.trading.idle()
  expect(newestHead().seq).toBeGreaterThan(before.seq)
  const again = await member.post<Order>('/orders', asked, key)
  expect([again.replayed, again.text]).toEqual([true, first.text])
  // What is read again later is no evidence of what was shown then.
  expect(await orderNow(member, first.body.id)).not.toHaveProperty('head')
})

it('each order event carries the newest head of its moment, the final one included', async () => {
  const member = await house.join()
  const { body } = await member.post<Order>('/orders', intent(house))
  const accepted = newestHead()
  await house.clock.advance(1000)
  quote(house, 10_200)
  await house.trading.idle()
  const opened = newestHead()
  await house.clock.advanceTo(body.closeAt)
  quote(house, 10_300)
  await house.trading.idle()
  const told = house.bus.of<Order>(member.id, 'order')
  expect(told.map(({ status, head }) => [status, head])).toEqual([
    ['accepted', accepted],
    ['open', opened],
    ['won', newestHead()],
  ])
  expect(told.map((order) => orderSchema.parse(order))).toEqual(told)
})
