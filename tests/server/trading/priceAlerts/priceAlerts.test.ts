import { beforeEach, describe, expect, it } from 'vitest'
import type { Message } from '../../../../contract/content.ts'
import { openAlertsMax, type PriceAlert } from '../../../../contract/priceAlerts.ts'
import type { ListAnswer, MemberClient } from '../../../support/apiCalls.ts'
import { loseAnswers } from '../../../support/lostConnection.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

describe('price alerts', () => {
  let venue: TestVenue
  let member: MemberClient
  beforeEach(async () => {
    venue = await withVenue()
    await venue.clock.advance(1)
    venue.market.flushPrices({ TEST: [10_000] })
    member = await venue.createMember()
  })

  const create = (kind: string, price: string, by = member, key?: string) =>
    by.post<PriceAlert>('/price-alerts', { productId: 'TEST', kind, price }, key)
  const waiting = async (by = member): Promise<PriceAlert[]> =>
    (await by.get<ListAnswer<PriceAlert>>('/price-alerts')).body.items
  const alertMessages = async (by = member): Promise<Message[]> =>
    (await venue.messages.list(by.id, { limit: 100 })).items.filter(({ key }) => key === 'priceAlert')
  const events = (by = member): PriceAlert[] => venue.bus.eventsFor<PriceAlert>(by.id, 'alert')
  /** A flush of these prices, and a moment in which its effects are stored. */
  const flush = async (...prices: number[]): Promise<void> => {
    await venue.clock.advance(100)
    venue.market.flushPrices({ TEST: prices })
    await venue.clock.advance(1)
  }
  /** The venue after a restart with ticks that it missed. */
  const restartAfter = async (...missed: number[]): Promise<void> => {
    const { clock, market, secrets } = venue
    await venue.close()
    market.flushPrices({ TEST: missed })
    venue = await openTestVenue(venue.database, { clock, market, secrets })
    member = venue.clientOf(member)
  }

  it('notifies the member once when the price reaches an alert, and the alert is gone', async () => {
    const { status, body } = await create('above', '105.00')
    expect([status, body]).toMatchObject([
      201,
      { productId: 'TEST', kind: 'above', price: '105.00', status: 'waiting', version: 1 },
    ])
    expect(await waiting()).toEqual([body])
    await flush(10_499)
    expect(await alertMessages()).toEqual([])
    await flush(10_500)
    await expect.poll(() => alertMessages()).toHaveLength(1)
    await flush(10_499, 10_600)
    const [message, ...others] = await alertMessages()
    expect([message, others]).toMatchObject([
      {
        category: 'notice',
        params: { productId: 'TEST', condition: 'above', price: '105.00' },
        link: 'pages/Detail/Detail?id=TEST',
        read: false,
      },
      [],
    ])
    expect(await waiting()).toEqual([])
    expect(events()).toEqual([body, { ...body, status: 'reached', version: 2 }])
    expect(venue.bus.eventsFor<Message>(member.id, 'message')).toEqual([message])
  })

  it.each([
    ['above', '105.00', 10_500],
    ['below', '95.00', 9_500],
    ['crossing', '105.00', 10_501],
    ['crossing', '95.00', 9_499],
  ])('an alert %s %s is reached at %i', async (kind, price, at) => {
    await create(kind, price)
    await flush(10_001, 9_999)
    expect(await waiting()).toHaveLength(1)
    await flush(at)
    await expect.poll(() => alertMessages()).toHaveLength(1)
  })

  it.each([
    [{ kind: 'above', price: '100.00' }, 422, 'ALERT_REACHED', { last: '100.00' }],
    [{ kind: 'above', price: '99.99' }, 422, 'ALERT_REACHED', { last: '100.00' }],
    [{ kind: 'below', price: '100.01' }, 422, 'ALERT_REACHED', { last: '100.00' }],
    [{ kind: 'crossing', price: '100.00' }, 422, 'ALERT_REACHED', { last: '100.00' }],
    [{ productId: 'NONE' }, 404, 'NOT_FOUND', undefined],
    [{ price: '105' }, 400, 'VALIDATION', undefined],
    [{ price: '0.00' }, 400, 'VALIDATION', undefined],
    [{ price: '-1.00' }, 400, 'VALIDATION', undefined],
    [{ price: '90071992547409.93' }, 400, 'VALIDATION', undefined],
    [{ kind: 'near' }, 400, 'VALIDATION', undefined],
    [{ note: 'x' }, 400, 'VALIDATION', undefined],
  ])('rejects %j with %i %s', async (change, status, code, params) => {
    const request = { productId: 'TEST', kind: 'above', price: '105.00', ...change }
    const reply = await member.post('/price-alerts', request)
    expect([reply.status, reply.code, reply.params]).toEqual([status, code, params])
    expect(await waiting()).toEqual([])
  })

  it('holds a limit for each member, also for requests at the same time', async () => {
    const prices = Array.from({ length: openAlertsMax + 5 }, (_, i) => `1${10 + i}.00`)
    const replies = await Promise.all(prices.map((price) => create('above', price)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(openAlertsMax)
    const refused = replies.filter(({ status }) => status !== 201)
    for (const { code, params } of refused)
      expect({ code, params }).toEqual({ code: 'ALERT_LIMIT', params: { max: openAlertsMax } })
    expect((await create('above', '150.00', await venue.createMember())).status).toBe(201)
    const page = await member.get<ListAnswer<PriceAlert>>('/price-alerts?limit=15')
    const rest = await member.get<ListAnswer<PriceAlert>>(`/price-alerts?cursor=${page.body.nextCursor}`)
    expect([...page.body.items, ...rest.body.items].map(({ id }) => id)).toEqual(
      (await member.get<ListAnswer<PriceAlert>>('/price-alerts?limit=100')).body.items.map(({ id }) => id),
    )
    expect([page.body.items.length, rest.body.nextCursor]).toEqual([15, null])
  })

  it('creates one alert for one key', async () => {
    const key = venue.random.uuid()
    const first = await create('above', '105.00', member, key)
    const second = await create('above', '105.00', member, key)
    expect([second.status, second.body, second.replayed]).toEqual([201, first.body, true])
    expect(await waiting()).toHaveLength(1)
  })

  it('removes an alert, which then notifies nobody, and only one’s own', async () => {
    const { body } = await create('above', '105.00')
    const other = await venue.createMember()
    expect((await other.send('DELETE', `/price-alerts/${body.id}`)).status).toBe(404)
    expect((await member.send('DELETE', `/price-alerts/${body.id}`)).status).toBe(204)
    expect((await member.send('DELETE', `/price-alerts/${body.id}`)).status).toBe(404)
    expect(events().at(-1)).toEqual({ ...body, status: 'removed', version: 2 })
    await flush(10_600)
    expect(await alertMessages()).toEqual([])
    expect(await waiting()).toEqual([])
  })

  it('needs no right that the roles of a venue lack', async () => {
    await venue.close()
    venue = await openTestVenue(venue.database, { asRoles: true })
    await venue.clock.advance(1)
    venue.market.flushPrices({ TEST: [10_000] })
    member = await venue.createMember()
    const { body } = await create('below', '95.00')
    await create('above', '105.00')
    await venue.clock.advance(61_000)
    expect((await member.send('DELETE', `/price-alerts/${body.id}`)).status).toBe(204)
    await flush(10_500)
    await expect.poll(() => alertMessages()).toHaveLength(1)
    expect(venue.reportedErrors).toEqual([])
  })

  it('needs a session', async () => {
    const guest = { ...member, sid: 'x' }
    expect((await venue.clientOf(guest).get('/price-alerts')).code).toBe('UNAUTHENTICATED')
  })

  it.each([
    ['a minute after its creation', 61_000],
    ['at once', 0],
  ])('judges by the ticks that it missed while it was down, stopped %s', async (_, ms) => {
    await create('above', '105.00')
    await create('below', '95.00')
    await flush(10_400)
    await venue.clock.advance(ms)
    await restartAfter(10_500, 9_600)
    await expect.poll(() => alertMessages()).toHaveLength(1)
    expect((await alertMessages())[0]?.params).toMatchObject({ condition: 'above' })
    await flush(9_500)
    await expect.poll(() => alertMessages()).toHaveLength(2)
    expect(await waiting()).toEqual([])
  })

  it('notifies once if the result of the commit is unknown', async () => {
    const { body } = await create('above', '105.00')
    const failed = loseAnswers(venue.database.pool, 'INSERT INTO message')
    await flush(10_500)
    await expect.poll(failed).toBe(1)
    await venue.clock.advance(1000)
    await expect.poll(() => events()).toHaveLength(2)
    expect(events().at(-1)).toEqual({ ...body, status: 'reached', version: 2 })
    expect(await alertMessages()).toHaveLength(1)
    expect(venue.bus.eventsFor<Message>(member.id, 'message')).toEqual(await alertMessages())
  })

  it('does no work in the database for ticks that reach nothing', async () => {
    await create('above', '105.00')
    await venue.clock.advance(61_000)
    const { pool } = venue.database
    let statements = 0
    const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
    Object.assign(pool, { query: (...args: unknown[]) => ((statements += 1), query(...args)) })
    for (let i = 0; i < 100; i++) venue.market.flushPrices({ TEST: [10_000 + i, 10_499 - i] })
    expect(statements).toBe(0)
  })
})
