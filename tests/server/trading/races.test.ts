import { afterEach, beforeEach, expect, it } from 'vitest'
import { minor } from '../../../contract/brand.ts'
import type { Order } from '../../../contract/orders.ts'
import type { Assets } from '../../../contract/session.ts'
import { createHolds } from '../../../server/ledger/holds.ts'
import { memberClient, openTestVenue } from '../../support/testVenue.ts'
import type { MemberClient, TestVenue } from '../../support/testVenue.ts'
import { orderRequest, placeOrder, tickOnce, runMarket } from '../../support/orders.ts'
import { withPostgres } from '../../support/postgres.ts'

const postgres = await withPostgres('trading_races')

postgres.describe('races on PostgreSQL', () => {
  let house: TestVenue
  /** A second process of the venue on the same database: it shares the clock and the market, and no memory. */
  let second: TestVenue
  beforeEach(async () => {
    house = await openTestVenue(postgres.database())
    const { clock, market, secret } = house
    second = await openTestVenue(postgres.database(), { clock, market, secret })
    await house.clock.advance(1)
    tickOnce(house)
    await house.trading.start()
    await second.trading.start()
  })
  afterEach(async () => {
    await house.trading.stop()
    await second.trading.stop()
    await house.close()
    await second.close()
    expect([...house.reportedErrors, ...second.reportedErrors]).toEqual([])
  })
  const inBoth = (member: MemberClient): [MemberClient, MemberClient] => [
    member,
    memberClient(second.app, second.random, member.id, member.sid, member.token),
  ]
  const spread = <T>(
    member: MemberClient,
    n: number,
    ask: (by: MemberClient, i: number) => Promise<T>,
  ): Promise<T[]> => {
    const both = inBoth(member)
    return Promise.all(Array.from({ length: n }, (_, i) => ask(both[i % 2]!, i)))
  }

  it('100 parallel orders of 10.00 on 500.00: exactly 50', async () => {
    for (let round = 0; round < 3; round++) {
      const member = await house.createMember(minor(50_000))
      const replies = await spread(member, 100, (by) => by.post<Order>('/orders', orderRequest(house)))
      expect(replies.filter((reply) => reply.status === 201)).toHaveLength(50)
      expect(replies.filter((reply) => reply.code === 'INSUFFICIENT_BALANCE')).toHaveLength(50)
      expect((await member.get<Assets>('/me/assets')).body).toMatchObject({
        available: '0.00',
        openStakes: '500.00',
        version: 51,
      })
    }
  })

  it('one key 20 times in parallel, through two processes: one order, one answer', async () => {
    const member = await house.createMember()
    const key = house.random.uuid()
    const asked = orderRequest(house)
    const replies = await spread(member, 20, (by) => by.post<Order>('/orders', asked, key))
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    expect((await member.get<Assets>('/me/assets')).body.openStakes).toBe('10.00')
  })

  it('one key for a refusal and for a reset, through two processes: one answer each', async () => {
    const member = await house.createMember(minor(100))
    const keys = [house.random.uuid(), house.random.uuid()]
    const refused = await spread(member, 20, (by) =>
      by.post('/orders', orderRequest(house, { validUntil: house.clock.now() }), keys[0]),
    )
    expect(new Set(refused.map((reply) => reply.code))).toEqual(new Set(['INSUFFICIENT_BALANCE']))
    const resets = await spread(member, 20, (by) => by.post<Assets>('/practice/reset', undefined, keys[1]))
    expect(new Set(resets.map((reply) => reply.text)).size).toBe(1)
    expect((await member.get<Assets>('/me/assets')).body).toMatchObject({ available: '10000.00', version: 2 })
  })

  it('both processes settle the same orders: each once', async () => {
    const members = await Promise.all(Array.from({ length: 5 }, () => house.createMember()))
    const orders = await Promise.all(
      members.flatMap((member) => Array.from({ length: 20 }, () => placeOrder(house, member))),
    )
    await second.trading.stop()
    const { clock, market, secret } = house
    second = await openTestVenue(postgres.database(), { clock, market, secret })
    await second.trading.start()
    await runMarket(house, 31_000, (at) => 10_000 + (at % 7))
    await second.trading.idle()
    const told = [...house.bus.events, ...second.bus.events]
      .filter(({ event }) => event === 'order')
      .map(({ payload }) => payload as Order)
      .filter((order) => order.settledAt !== null && orders.some(({ id }) => id === order.id))
    expect(told.map((order) => order.id).toSorted()).toEqual(orders.map((order) => order.id).toSorted())
    for (const member of members) {
      const assets = (await member.get<Assets>('/me/assets')).body
      expect(assets.openStakes).toBe('0.00')
      expect(assets.version).toBe(41)
    }
  })

  it('orders and settlements of many members at once never lock each other up', async () => {
    const members = await Promise.all(Array.from({ length: 12 }, () => house.createMember()))
    for (const member of members) await placeOrder(house, member)
    await runMarket(house, 29_000)
    const placing = members.flatMap((member) =>
      inBoth(member).map((by) => by.post<Order>('/orders', orderRequest(house))),
    )
    const settling = runMarket(house, 2000)
    const replies = await Promise.all(placing)
    await settling
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 201))
    for (const member of members)
      expect((await member.get<Assets>('/me/assets')).body.openStakes).toBe('20.00')
  })

  it('a hold is resolved once, whoever tries', async () => {
    const member = await house.createMember(minor(1000))
    const holds = createHolds(house)
    const ref = { kind: 'withdrawal', id: 'w1' }
    const held = await house.db.transaction((tx) =>
      holds.place(tx, {
        memberId: member.id,
        source: 'available',
        amount: 600,
        type: 'withdrawal_hold',
        ref,
      }),
    )
    const ends = Array.from({ length: 10 }, (_, i) =>
      house.db.transaction((tx) =>
        i % 2 === 0
          ? holds.resolve(tx, held!.holdId, { outcome: 'posted', to: 'external', type: 'withdrawal_paid' })
          : holds.resolve(tx, held!.holdId, { outcome: 'voided', type: 'withdrawal_returned' }),
      ),
    )
    expect((await Promise.all(ends)).filter((posted) => posted !== null)).toHaveLength(1)
    expect((await house.ledger.assets(member.id)).held).toBe('0.00')
  })
})
