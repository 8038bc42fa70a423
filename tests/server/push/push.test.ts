import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hourMs } from '../../../contract/time.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { pushDelivery, pushSubscription } from '../../../server/db/schema/push.ts'
import { retryWaitsMs } from '../../../server/push/deliveries.ts'
import { sendEveryMs } from '../../../server/push/push.ts'
import type { MemberClient } from '../../support/apiCalls.ts'
import { fakePush, pushSubscriptionOf } from '../../support/fakePush.ts'
import { openTestVenue } from '../../support/testVenue.ts'
import type { TestVenue } from '../../support/testVenue.ts'

describe('notifications on devices', () => {
  let database: Database
  let venue: TestVenue
  let member: MemberClient
  let answers: (number | Error)[]
  let sentAt: number[]
  let push: ReturnType<typeof fakePush>
  beforeEach(async () => {
    database = await openMemoryDatabase()
    answers = []
    sentAt = []
    push = fakePush((_, count) => {
      sentAt.push(venue.clock.now())
      return answers[count - 1] ?? 201
    })
    venue = await openTestVenue(database, { asRoles: true, pushTransport: push })
    await venue.clock.advance(1)
    venue.market.flushPrices({ TEST: [10_000] })
    member = await venue.createMember()
  })
  afterEach(async () => {
    await venue.close()
    await database.close()
  })

  const subscribe = (by = member, device = 'phone') => by.send('PUT', '/push', pushSubscriptionOf(device))
  const subscriptions = () => database.db.select().from(pushSubscription)
  /** An alert of the member is reached, and the job that sends runs. */
  const reach = async (price = 105): Promise<void> => {
    const alert = { productId: 'TEST', kind: 'above', price: `${price}.00` }
    expect((await member.post('/price-alerts', alert)).status).toBe(201)
    venue.market.flushPrices({ TEST: [price * 100, 10_000] })
    await expect
      .poll(async () => (await member.get<{ items: unknown[] }>('/price-alerts')).body.items)
      .toEqual([])
    await venue.clock.advance(1001)
  }
  /** As long as a notification is kept; only in the first and in the last seconds the jobs run at each one. */
  const anHourLater = async (): Promise<void> => {
    await venue.clock.advance(10_000)
    venue.clock.leap(hourMs)
    await venue.clock.advance(2000)
  }

  it('notifies each device of the member that an alert is reached, and nothing about money', async () => {
    const other = await venue.openSession(member.id)
    await subscribe()
    await subscribe(other, 'laptop')
    await subscribe(await venue.createMember(), 'of somebody else')
    expect((await member.get('/push')).body).toEqual({ publicKey: 'public key', subscribed: true })
    await reach()
    const payload = { kind: 'above', productId: 'TEST', code: 'TEST/USD', price: '105.00' }
    expect(push.sent).toMatchObject([
      { payload, contact: 'https://uptick.invalid', keepMs: hourMs, keys: { privateKey: 'private key' } },
      { payload },
    ])
    expect(push.sent.map(({ payload: sent }) => sent)).toEqual([payload, payload])
    expect(
      push.sent
        .map(({ subscription }) => subscription)
        .toSorted((a, b) => (a.endpoint < b.endpoint ? -1 : 1)),
    ).toEqual([pushSubscriptionOf('laptop'), pushSubscriptionOf('phone')])
    await anHourLater()
    expect(push.sent).toHaveLength(2)
    expect(await database.db.select().from(pushDelivery)).toEqual([])
    expect(venue.reportedErrors).toEqual([])
  })

  it('stores neither addresses nor the private key in plain', async () => {
    await member.get('/push')
    await subscribe()
    const { rows } = await database.pool.query(
      `SELECT row_to_json(s)::text AS text FROM push_subscription s UNION ALL SELECT value::text FROM setting`,
    )
    const stored = rows.map(({ text }: { text: string }) => text).join()
    expect(stored).toContain('public key')
    expect(stored).not.toMatch(/push\.example|private key/)
    // Bytes are shown as hexadecimal digits.
    expect(stored).not.toContain(Buffer.from('push.example').toString('hex'))
  })

  it('stops when the device says so, when it logs out, and when all sessions end', async () => {
    await subscribe()
    expect((await member.send('DELETE', '/push')).status).toBe(204)
    expect((await member.get('/push')).body).toMatchObject({ subscribed: false })
    await subscribe()
    await subscribe(await venue.openSession(member.id), 'laptop')
    expect(await subscriptions()).toHaveLength(2)
    await member.send('POST', '/auth/logout')
    expect(await subscriptions()).toHaveLength(1)
    await venue.db.transaction((tx) => venue.sessions.endAll(tx, member.id))
    expect(await subscriptions()).toEqual([])
  })

  it('has one subscription of a browser: the last session’s', async () => {
    const next = await venue.createMember()
    await subscribe()
    await subscribe(next)
    await subscribe(next)
    expect(await subscriptions()).toMatchObject([{ memberId: next.id }])
  })

  it.each([
    [{ endpoint: 'https://10.0.0.1/x' }, 'endpoint'],
    [{ endpoint: 'http://push.example/x' }, 'endpoint'],
    [{ keys: { p256dh: 'short', auth: 'a'.repeat(22) } }, 'keys.p256dh'],
  ])('rejects a subscription with %j', async (change, field) => {
    const reply = await member.send('PUT', '/push', { ...pushSubscriptionOf('phone'), ...change })
    expect([reply.status, reply.fields]).toEqual([400, { [field]: 'INVALID' }])
    expect(await subscriptions()).toEqual([])
  })

  it.each([404, 410])('forgets a device whose push service answers %i', async (status) => {
    answers = [status]
    await subscribe()
    await reach()
    expect(await subscriptions()).toEqual([])
    expect(await database.db.select().from(pushDelivery)).toEqual([])
  })

  it('tries again a few times if the push service fails, and then gives up', async () => {
    answers = [500, new Error('no answer'), 429, 503, 502]
    await subscribe()
    await reach()
    // The second job before a wait is over must not send, and the first one after it must.
    for (const wait of retryWaitsMs) {
      venue.clock.leap(wait - 2 * sendEveryMs)
      await venue.clock.advance(3 * sendEveryMs)
    }
    await anHourLater()
    const waits = sentAt.slice(1).map((at, i) => at - (sentAt[i] ?? 0))
    expect(waits).toHaveLength(retryWaitsMs.length)
    for (const [i, wait] of retryWaitsMs.entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(wait)
      expect(waits[i]).toBeLessThanOrEqual(wait + sendEveryMs)
    }
    expect(await database.db.select().from(pushDelivery)).toEqual([])
    expect(await subscriptions()).toHaveLength(1)
  })

  it('gives up at once, and says so, if the push service refuses the notification', async () => {
    answers = [403]
    await subscribe()
    await reach()
    await anHourLater()
    expect(push.sent).toHaveLength(1)
    expect(venue.reportedErrors.join()).toContain('refused a notification')
  })

  it('sends after a restart what was not sent before', async () => {
    answers = [500]
    await subscribe()
    await reach()
    const { clock, market, secrets } = venue
    await venue.close()
    venue = await openTestVenue(database, { asRoles: true, clock, market, secrets, pushTransport: push })
    await clock.advance(10_000)
    expect(push.sent).toHaveLength(2)
    expect(push.sent[1]).toEqual(push.sent[0])
  })
})
