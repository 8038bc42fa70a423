import { beforeEach, describe, expect, it } from 'vitest'
import type { Order } from '../../../../contract/orders.ts'
import type { Assets, LedgerEntry } from '../../../../contract/ledger.ts'
import { delayStatement, loseAnswers, watchStatements } from '../../../support/lostConnection.ts'
import {
  orderRequest,
  fetchOrder,
  placeOrder,
  tickOnce,
  runMarket,
  asListed,
} from '../../../support/orders.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import type { OrderRow } from '../../../../server/trading/schema.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

let venue: TestVenue
let member: MemberClient
/** Orders that were reported as final, in order. */
let settledOrders: OrderRow[]
beforeEach(async () => {
  venue = await withVenue()
  await venue.clock.advance(1)
  tickOnce(venue)
  member = await venue.createMember()
  settledOrders = []
  venue.engine.processor.onSettled((rows) => void settledOrders.push(...rows))
})

/** Text that occurs only in the statement that reads the unsettled orders. */
const unsettledOrders = 'where "orders"."settled_at" is null'
const events = (): Order[] => venue.bus.eventsFor<Order>(member.id, 'order').map(asListed)

describe('a placement with unknown outcome', () => {
  it.each([5_000, 59_000])('is followed within 10 s if it is committed %i ms later', async (laterMs) => {
    const commit = delayStatement(venue.database.pool, 'place orders')
    const key = venue.random.uuid()
    const request = orderRequest(venue, { seconds: 60, rateBp: 8500 })
    expect((await member.post('/orders', request, key)).status).toBe(503)
    await runMarket(venue, laterMs)
    await commit()
    await runMarket(venue, 10_000)
    const { body } = await member.get<Order>(`/orders/by-key/${key}`)
    expect(body.entry).toMatchObject({ at: body.acceptedAt + 1000 })
    expect(events().at(-1)).toEqual(asListed(body))
  })

  it('is searched for no longer than a statement can run', async () => {
    loseAnswers(venue.database.pool, 'place orders')
    // It was committed, so its key has an answer.
    expect(await member.post('/orders', orderRequest(venue))).toMatchObject({ status: 201, replayed: true })
    const failedAt = venue.clock.now()
    // The first read of the orders fails and is repeated a second later.
    loseAnswers(venue.database.pool, unsettledOrders)
    const reads: number[] = []
    watchStatements(venue.database.pool, unsettledOrders, async (answer) => {
      reads.push(venue.clock.now() - failedAt)
      return answer
    })
    await venue.clock.advance(300_000)
    expect(reads).toEqual([2, 12, 22, 32, 42, 52, 62, 72, 82].map((s) => s * 1000))
  })

  it('does not bring back orders that were settled while the orders were read', async () => {
    const order = await placeOrder(venue, member)
    await runMarket(venue, 29_500)
    loseAnswers(venue.database.pool, 'place orders')
    expect(await member.post('/orders', orderRequest(venue))).toMatchObject({ status: 201, replayed: true })
    let settled = 0
    watchStatements(venue.database.pool, 'settle orders', async (answer) => {
      settled += 1
      return answer
    })
    // The order closes between the database's answer and its arrival.
    watchStatements(venue.database.pool, unsettledOrders, async (answer) => {
      const now = venue.clock.now()
      if (now <= order.closeAt + 1000) {
        venue.market.flush()
        await venue.trading.idle()
      }
      return answer
    })
    await venue.clock.advance(1000)
    expect(settledOrders.map(({ id }) => id)).toEqual([order.id])
    await runMarket(venue, 10_000)
    expect(settled).toBe(1)
  })
})

describe('an entry with unknown outcome', () => {
  it.each([1, 3])('is reported once, after %i lost answers', async (times) => {
    const failed = loseAnswers(venue.database.pool, 'open orders', times)
    const order = await placeOrder(venue, member)
    await runMarket(venue, 10_000)
    expect(failed()).toBe(times)
    const open = await fetchOrder(member, order.id)
    expect(open).toMatchObject({ status: 'open', version: 2 })
    expect(events()).toEqual([order, open])
  })
})

describe('a settlement with unknown outcome', () => {
  it('is reported once, with its ledger entries and balance, after the connection is back', async () => {
    const failed = loseAnswers(venue.database.pool, 'settle orders')
    const orders = [await placeOrder(venue, member), await placeOrder(venue, member, { direction: 'down' })]
    await runMarket(venue, 60_000, (at) => at % 1_000_000)
    expect(failed()).toBe(1)
    const final = await Promise.all(orders.map(({ id }) => fetchOrder(member, id)))
    for (const { id, settledAt } of final) {
      expect(settledAt).not.toBeNull()
      expect(events().filter((event) => event.id === id && event.settledAt !== null)).toEqual(
        final.filter((order) => order.id === id),
      )
    }
    expect(settledOrders.map(({ id }) => id).toSorted()).toEqual(orders.map(({ id }) => id).toSorted())
    const record = (await member.get<{ items: LedgerEntry[] }>('/me/ledger')).body.items
    // The first entry is the opening balance, before this member had a socket.
    expect(venue.bus.eventsFor<LedgerEntry>(member.id, 'ledger')).toEqual(record.toReversed().slice(1))
    expect(record).toHaveLength(5)
    const assets = (await member.get<Assets>('/me/assets')).body
    expect(venue.bus.eventsFor<Assets>(member.id, 'assets').at(-1)).toEqual(assets)
    expect(assets).toMatchObject({ openStakes: '0.00', version: 5 })
  })

  it.each([2, 3])('is reported once, after %i lost answers', async (times) => {
    const failed = loseAnswers(venue.database.pool, 'settle orders', times)
    const order = await placeOrder(venue, member)
    await runMarket(venue, 60_000)
    expect(failed()).toBe(times)
    const final = await fetchOrder(member, order.id)
    expect(final.settledAt).toBe(order.closeAt)
    expect(events().filter(({ settledAt }) => settledAt !== null)).toEqual([final])
    expect(settledOrders.map(({ id }) => id)).toEqual([order.id])
  })

  it('is reported later and once if it cannot be read either, and does not delay other orders', async () => {
    const failed = loseAnswers(venue.database.pool, 'settle orders')
    const first = await placeOrder(venue, member)
    await runMarket(venue, 500)
    const second = await placeOrder(venue, member)
    await runMarket(venue, 29_900)
    expect(failed()).toBe(1)
    const unread = loseAnswers(venue.database.pool, '"orders"."settled_at" is not null')
    await runMarket(venue, 30_000)
    expect(unread()).toBe(1)
    expect(settledOrders.map(({ id }) => id)).toEqual([second.id, first.id])
  })
})
