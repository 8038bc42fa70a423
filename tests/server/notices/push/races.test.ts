import { afterAll, beforeAll, expect, it } from 'vitest'
import { pushSubscription } from '../../../../server/notices/schema.ts'
import { fakePush, pushSubscriptionOf } from '../../../support/fakePush.ts'
import { countLockWaits, withPostgres } from '../../../support/postgres.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

const postgres = await withPostgres('push_races')

postgres.describe('subscriptions on PostgreSQL', () => {
  let venue: TestVenue
  beforeAll(async () => {
    venue = await openTestVenue(postgres.database(), { pushTransport: fakePush() })
  })
  afterAll(() => venue.close())

  it('leaves a browser to the last of two members who subscribe it at once, and refuses neither', async () => {
    const [first, second] = [await venue.createMember(), await venue.createMember()]
    const { pool } = venue.database
    const blocker = await pool.connect()
    try {
      // The subscription of the first member waits for his session, and meanwhile the second one's comes.
      await blocker.query('BEGIN')
      await blocker.query('SELECT FROM session WHERE member_id = $1 FOR UPDATE', [first.id])
      const subscribe = (by: typeof first) => by.send('PUT', '/push', pushSubscriptionOf('shared'))
      const replies = [subscribe(first)]
      await expect.poll(() => countLockWaits(venue.database)).toBe(1)
      replies.push(subscribe(second))
      await expect.poll(() => countLockWaits(venue.database)).toBe(2)
      await blocker.query('COMMIT')
      expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([204, 204])
    } finally {
      blocker.release()
    }
    expect(await venue.db.select().from(pushSubscription)).toMatchObject([{ memberId: second.id }])
    expect(venue.reportedErrors).toEqual([])
  })

  it('refuses a subscription of a session that has ended meanwhile', async () => {
    const member = await venue.createMember()
    const blocker = await venue.database.pool.connect()
    try {
      await blocker.query('BEGIN')
      await blocker.query('DELETE FROM session WHERE member_id = $1', [member.id])
      const reply = member.send('PUT', '/push', pushSubscriptionOf('ended'))
      await expect.poll(() => countLockWaits(venue.database)).toBe(1)
      await blocker.query('COMMIT')
      expect(await reply).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
    } finally {
      blocker.release()
    }
    expect(venue.reportedErrors).toEqual([])
  })
})
