import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hourMs } from '../../../../contract/time.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { pushDelivery, pushSubscription } from '../../../../server/notices/schema.ts'
import { retryWaitsMs } from '../../../../server/notices/push/deliveries.ts'
import { sendEveryMs } from '../../../../server/notices/push/push.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { fakePush, pushSubscriptionOf } from '../../../support/fakePush.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

describe('notifications on devices', () => {
  let database: Database
  let venue: TestVenue
  let member: MemberClient
  let answers: (number | Error | Promise<number>)[]
  let sentAt: number[]
  let push: ReturnType<typeof fakePush>
  beforeEach(async () => {
    answers = []
    sentAt = []
    push = fakePush((_, count) => {
      sentAt.push(venue.clock.now())
      return answers[count - 1] ?? 201
    })
    venue = await withVenue({ asRoles: true, pushTransport: push })
    database = venue.database
    await venue.clock.advance(1)
    venue.market.flushPrices({ TEST: [10_000] })
    member = await venue.createMember()
  })

  const subscribe = async (by = member, device = 'phone', host?: string): Promise<void> => {
    expect((await by.send('PUT', '/push', pushSubscriptionOf(device, host))).status).toBe(204)
  }
  const subscriptions = () => database.db.select().from(pushSubscription)
  const deliveries = () => database.db.select().from(pushDelivery)
  /** The job that sends runs, and what it tried is stored: nothing that waits is due. */
  const sendNow = async (ms = sendEveryMs): Promise<void> => {
    await venue.clock.advance(ms)
    await expect
      .poll(async () => (await deliveries()).filter(({ nextAt }) => nextAt <= venue.clock.now()))
      .toEqual([])
  }
  /** An alert of each of these members is reached. */
  const store = async (price = 105, members = [member]): Promise<void> => {
    const alert = { productId: 'TEST', kind: 'above', price: `${price}.00` }
    for (const each of members) expect((await each.post('/price-alerts', alert)).status).toBe(201)
    venue.market.flushPrices({ TEST: [price * 100, 10_000] })
    for (const each of members)
      await expect
        .poll(async () => (await each.get<{ items: unknown[] }>('/price-alerts')).body.items)
        .toEqual([])
  }
  /** An alert of the member is reached and its notification sent. */
  const reach = async (price?: number): Promise<void> => {
    await store(price)
    await sendNow(sendEveryMs + 1)
  }
  /** As long as a notification is kept; only in the first and in the last seconds the jobs run at each one. */
  const anHourLater = async (): Promise<void> => {
    await sendNow(10_000)
    venue.clock.leap(hourMs)
    await sendNow(2000)
  }

  it('notifies each device of the member that an alert is reached, and nothing about money', async () => {
    const other = await venue.openSession(member.id)
    await subscribe()
    await subscribe(other, 'laptop')
    await subscribe(await venue.createMember(), 'others')
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
    expect(await deliveries()).toEqual([])
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
    [{ keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) } }, 'keys.p256dh'],
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
    expect(await deliveries()).toEqual([])
  })

  it('tries again a few times if the push service fails, and then gives up', async () => {
    answers = [500, new Error('no answer'), 429, 503, 502]
    await subscribe()
    await reach()
    // The second job before a wait is over must not send, and the first one after it must.
    for (const wait of retryWaitsMs) {
      venue.clock.leap(wait - 2 * sendEveryMs)
      for (let i = 0; i < 3; i++) await sendNow()
    }
    await anHourLater()
    const waits = sentAt.slice(1).map((at, i) => at - (sentAt[i] ?? 0))
    expect(waits).toHaveLength(retryWaitsMs.length)
    for (const [i, wait] of retryWaitsMs.entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(wait)
      expect(waits[i]).toBeLessThanOrEqual(wait + sendEveryMs)
    }
    expect(await deliveries()).toEqual([])
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
    venue = await withVenue({ database, asRoles: true, clock, market, secrets, pushTransport: push })
    await sendNow(10_000)
    expect(push.sent).toHaveLength(2)
    expect(push.sent[1]).toEqual(push.sent[0])
  })

  it('sends to five devices of a member, of more to those that asked last', async () => {
    const ofMember = async () => (await subscriptions()).map(({ sessionId }) => sessionId)
    const devices = [member]
    while (devices.length < 7) devices.push(await venue.openSession(member.id))
    for (const [i, device] of devices.entries()) {
      await venue.clock.advance(10)
      await subscribe(device, `device-${i}`)
    }
    await subscribe(await venue.createMember(), 'others')
    expect(await subscriptions()).toHaveLength(6)
    const states = await Promise.all(devices.map((device) => device.get('/push')))
    expect(states.map(({ body }) => (body as { subscribed: boolean }).subscribed)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ])
    // One that asks again stays, and several at once are no more.
    await Promise.all(devices.map((device, i) => subscribe(device, `device-${i}`)))
    expect(await ofMember()).toHaveLength(6)
  })

  describe('beside a push service that never answers', () => {
    let end: (status: number) => void
    let asked: number
    beforeEach(() => {
      asked = 0
      const never = new Promise<number>((resolve) => (end = resolve))
      push.answers = ({ subscription }) => {
        if (!subscription.endpoint.includes('//silent.')) return 201
        asked += 1
        return never
      }
    })
    afterEach(() => end(201))

    it('notifies another member at once, and asks it twice at most', async () => {
      const others = [member]
      while (others.length < 6) others.push(await venue.createMember())
      for (const [i, other] of others.entries()) await subscribe(other, `silent-${i}`, 'silent.push.example')
      const next = await venue.createMember()
      await subscribe(next)
      await store(105, [...others, next])
      await venue.clock.advance(sendEveryMs + 1)
      const endpoint = pushSubscriptionOf('phone').endpoint
      const toNext = () => push.sent.filter(({ subscription }) => subscription.endpoint === endpoint)
      await expect.poll(() => toNext().length).toBe(1)
      expect(asked).toBe(2)
      // Later ones too, while the requests are still open.
      await store(110, [next])
      await venue.clock.advance(sendEveryMs)
      await expect.poll(() => toNext().length).toBe(2)
      expect(asked).toBe(2)
    })

    it('notifies another device of the same member', async () => {
      const other = await venue.openSession(member.id)
      await subscribe(member, 'silent', 'silent.push.example')
      await subscribe(other)
      for (const price of [105, 110]) {
        await store(price)
        await venue.clock.advance(sendEveryMs + 1)
        await expect.poll(() => push.sent.length - asked).toBe(price === 105 ? 1 : 2)
      }
    })
  })

  it('gives members turns: one with many notifications does not delay another one’s first', async () => {
    const many = [105, 106, 107, 108, 109, 110]
    await subscribe()
    for (const price of many)
      await member.post('/price-alerts', { productId: 'TEST', kind: 'above', price: `${price}.00` })
    const next = await venue.createMember()
    await subscribe(next, 'next')
    await store(111, [next])
    await sendNow()
    const order = push.sent.map(({ subscription }) => subscription.endpoint.split('/').at(-1))
    expect(order).toHaveLength(many.length + 1)
    expect(order.indexOf('next')).toBeLessThan(2)
  })

  it('lets a push service that does not answer rest, and tries what waits when it is over', async () => {
    push.answers = () => new Error('no answer')
    await subscribe()
    const next = await venue.createMember()
    await subscribe(next, 'next')
    await store(105, [member, next])
    await sendNow()
    expect(push.sent).toHaveLength(2)
    // It rests for five seconds: what comes meanwhile waits without a try.
    await store(110, [next])
    await sendNow()
    expect(push.sent).toHaveLength(2)
    push.answers = () => 201
    await sendNow(2000)
    expect(push.sent).toHaveLength(2)
    await sendNow(5000)
    expect(push.sent).toHaveLength(5)
    expect(await deliveries()).toEqual([])
  })
})
