import { afterEach, beforeEach, expect, it } from 'vitest'
import { minor, epochMs } from '../../../../contract/units.ts'
import type { Order } from '../../../../contract/orders.ts'
import type { Assets } from '../../../../contract/ledger.ts'
import { createHolds } from '../../../../server/money/ledger/holds.ts'
import { orderRequest, placeOrder, tickOnce, runMarket } from '../../../support/orders.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { memberClient, type MemberClient } from '../../../support/apiCalls.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

const postgres = await withPostgres('trading_races')

postgres.describe('races on PostgreSQL', () => {
  let venue: TestVenue
  /** A second process of the venue on the same database: it shares only the clock and the market. */
  let second: TestVenue
  beforeEach(async () => {
    venue = await openTestVenue(postgres.database())
    const { clock, market, secrets } = venue
    second = await openTestVenue(postgres.database(), { clock, market, secrets })
    await venue.clock.advance(1)
    tickOnce(venue)
  })
  afterEach(async () => {
    await venue.close()
    await second.close()
    expect([...venue.reportedErrors, ...second.reportedErrors]).toEqual([])
  })
  const clientsOf = (member: MemberClient): [MemberClient, MemberClient] => [
    member,
    memberClient(second.app, second.random, member),
  ]
  const sendToBoth = <T>(
    member: MemberClient,
    count: number,
    send: (client: MemberClient, i: number) => Promise<T>,
  ): Promise<T[]> => {
    const clients = clientsOf(member)
    return Promise.all(Array.from({ length: count }, (_, i) => send(clients[i % 2]!, i)))
  }

  it('accepts exactly 50 of 100 parallel orders of 10.00 with a balance of 500.00', async () => {
    for (let round = 0; round < 3; round++) {
      const member = await venue.createMember(minor(50_000))
      const replies = await sendToBoth(member, 100, (client) =>
        client.post<Order>('/orders', orderRequest(venue)),
      )
      expect(replies.filter((reply) => reply.status === 201)).toHaveLength(50)
      expect(replies.filter((reply) => reply.code === 'INSUFFICIENT_BALANCE')).toHaveLength(50)
      expect((await member.get<Assets>('/me/assets')).body).toMatchObject({
        available: '0.00',
        openStakes: '500.00',
        version: 51,
      })
    }
  })

  it('places one order for 20 parallel requests with one key to two processes', async () => {
    const member = await venue.createMember()
    const key = venue.random.uuid()
    const request = orderRequest(venue)
    const replies = await sendToBoth(member, 20, (client) => client.post<Order>('/orders', request, key))
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    expect((await member.get<Assets>('/me/assets')).body.openStakes).toBe('10.00')
  })

  it('stores one answer per key if two processes reject an order or reset the balance', async () => {
    const member = await venue.createMember(minor(100))
    const keys = [venue.random.uuid(), venue.random.uuid()]
    const rejected = await sendToBoth(member, 20, (client) =>
      client.post('/orders', orderRequest(venue, { validUntil: epochMs(venue.clock.now()) }), keys[0]),
    )
    expect(new Set(rejected.map((reply) => reply.code))).toEqual(new Set(['INSUFFICIENT_BALANCE']))
    const resets = await sendToBoth(member, 20, (client) =>
      client.post<Assets>('/practice/reset', undefined, keys[1]),
    )
    expect(new Set(resets.map((reply) => reply.text)).size).toBe(1)
    expect((await member.get<Assets>('/me/assets')).body).toMatchObject({ available: '10000.00', version: 2 })
  })

  it('settles each order once if two processes settle the same orders', async () => {
    const members = await Promise.all(Array.from({ length: 5 }, () => venue.createMember()))
    const orders = await Promise.all(
      members.flatMap((member) => Array.from({ length: 20 }, () => placeOrder(venue, member))),
    )
    await second.close()
    const { clock, market, secrets } = venue
    second = await openTestVenue(postgres.database(), { clock, market, secrets })
    await runMarket(venue, 31_000, (at) => 10_000 + (at % 7))
    await second.trading.idle()
    const published = [...venue.bus.events, ...second.bus.events]
      .filter(({ event }) => event === 'order')
      .map(({ payload }) => payload as Order)
      .filter((order) => order.settledAt !== null && orders.some(({ id }) => id === order.id))
    expect(published.map((order) => order.id).toSorted()).toEqual(orders.map((order) => order.id).toSorted())
    for (const member of members) {
      const assets = (await member.get<Assets>('/me/assets')).body
      expect(assets.openStakes).toBe('0.00')
      expect(assets.version).toBe(41)
    }
  })

  it('does not deadlock if orders of many members are placed and settled at once', async () => {
    const members = await Promise.all(Array.from({ length: 12 }, () => venue.createMember()))
    for (const member of members) await placeOrder(venue, member)
    await runMarket(venue, 29_000)
    const placing = members.flatMap((member) =>
      clientsOf(member).map((client) => client.post<Order>('/orders', orderRequest(venue))),
    )
    const settling = runMarket(venue, 2000)
    const replies = await Promise.all(placing)
    await settling
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 201))
    for (const member of members)
      expect((await member.get<Assets>('/me/assets')).body.openStakes).toBe('20.00')
  })

  it('resolves a hold once if many try', async () => {
    const member = await venue.createMember(minor(1000))
    const holds = createHolds(venue)
    const held = await venue.db.transaction((tx) =>
      holds.place(tx, {
        memberId: member.id,
        kind: 'withdrawal_hold',
        amount: 600,
        of: { id: 'w1' },
      }),
    )
    const resolutions = Array.from({ length: 10 }, (_, i) =>
      venue.db.transaction((tx) =>
        holds.resolve(tx, held!.holdId, { kind: i % 2 === 0 ? 'withdrawal_paid' : 'withdrawal_returned' }),
      ),
    )
    expect((await Promise.all(resolutions)).filter((posted) => posted !== null)).toHaveLength(1)
    expect((await venue.ledger.assets(member.id)).held).toBe('0.00')
  })
})
