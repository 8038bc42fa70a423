import { expect, it } from 'vitest'
import { createCancelOnce } from '../../../support/cancelOnce.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

/** The embedded database cancels a transaction that keeps the tick log waiting, as on a busy machine. */
it('opens an account and logs in although each transaction of theirs is cancelled once', async () => {
  const database = await withDatabase()
  const venue = await withVenue({ database })
  await createCancelOnce(database)
  await database.owner.query(`
    CREATE TRIGGER cancel_once BEFORE INSERT ON member EXECUTE FUNCTION cancel_once();
    CREATE TRIGGER cancel_once BEFORE INSERT ON login_failure EXECUTE FUNCTION cancel_once();
    CREATE TRIGGER cancel_once BEFORE INSERT ON session EXECUTE FUNCTION cancel_once();`)
  const member = await venue.registerMember()
  expect((await member.get('/me')).status).toBe(200)
  const { rows } = await database.owner.query('SELECT last_value::int AS tries FROM cancelled')
  expect(rows).toEqual([{ tries: 6 }])
})
