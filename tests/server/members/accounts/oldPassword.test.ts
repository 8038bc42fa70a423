import { expect, it } from 'vitest'
import type { Database } from '../../../../server/platform/db/database.ts'
import { member } from '../../../../server/platform/db/schema.ts'
import { eq } from 'drizzle-orm'
import { withPostgres } from '../../../support/postgres.ts'
import { call } from '../../../support/apiCalls.ts'
import { loginPassword } from '../../../support/testMembers.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

const postgres = await withPostgres('oldPassword')
const newPassword = 'battery staple 9'

/**
 * Logs in with the old password while a new one takes effect after the check of the old one and before the session
 * exists. Returns the answer, and how many sessions the member has in the end.
 */
async function raceWithReset(database: Database) {
  const venue = await withVenue({ database })
  const owner = await venue.createMember()
  const request = await owner.send<{ id: string }>('POST', '/auth/password-requests', {
    kind: 'login',
    oldPassword: loginPassword,
    newPassword,
    confirmPassword: newPassword,
  })
  const [row] = await database.db.select().from(member).where(eq(member.id, owner.id))
  const { passwords } = venue
  const matches = passwords.matches.bind(passwords)
  passwords.matches = async (...args) => {
    const isRight = await matches(...args)
    passwords.matches = matches
    await venue.passwordRequests.office.approve(request.body.id, 'mei')
    return isRight
  }
  const logIn = (password: string) =>
    call(venue.app, 'POST', '/auth/login', { body: { account: row!.account, password } })
  const { status, code } = await logIn(loginPassword)
  const sessions = await owner.get<unknown[]>('/auth/sessions')
  return {
    status,
    code,
    sessions: sessions.body.length,
    newPasswordStatus: (await logIn(newPassword)).status,
  }
}
const badCredentials = { status: 401, code: 'BAD_CREDENTIALS', sessions: 1, newPasswordStatus: 200 }

it('a log-in with the old password opens no session once a new one takes effect', async () => {
  expect(await raceWithReset(await withDatabase())).toEqual(badCredentials)
})

postgres.describe('on PostgreSQL', () => {
  it('a log-in with the old password opens no session once a new one takes effect', async () => {
    expect(await raceWithReset(postgres.database())).toEqual(badCredentials)
  })
})
