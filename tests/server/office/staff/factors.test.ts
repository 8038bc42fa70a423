import { TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { staffSessionRoutes, type StaffSession } from '../../../../contract/office/staff.ts'
import type { Passkey } from '../../../../contract/passkeys.ts'
import type { SecondFactors } from '../../../../contract/secondFactors.ts'
import type { Challenge } from '../../../support/passkeys.ts'
import { softAuthenticator, type SoftAuthenticator } from '../../../support/softAuthenticator.ts'
import {
  addStaffTotp,
  createStaff,
  enrolStaff,
  openOfficeCall,
  staffClientOf,
  staffPassword,
  type StaffClient,
} from '../../../support/staffClient.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ asRoles: true, settings: { staffSecondFactor: true } })
const { database } = venue

const password = staffPassword
const origin = { headers: { host: 'localhost', origin: 'http://localhost' } }
const codeOf = (secret: string, stepsAhead = 0): string =>
  new TOTP({ secret }).generate({ timestamp: venue.clock.now() + stepsAhead * 30_000 })
const logIn = (name: string, code?: string, cookie = '') =>
  openOfficeCall<StaffSession>(venue.app, 'POST', '/session', {
    body: { name, password, ...(code !== undefined && { code }) },
    headers: { cookie },
  })
const setUp = (client: StaffClient, own = password) =>
  client.post<{ setupId: string; secret: string; uri: string }>('/session/totp/setup', { password: own })
const addApp = (client: StaffClient) => addStaffTotp(client, venue.clock.now())
const actsOf = async (client: StaffClient): Promise<string[]> => {
  const { rows } = await database.pool.query<{ act: string }>(
    `SELECT act FROM audit WHERE subject_kind = 'staff' AND subject_id = $1 ORDER BY id`,
    [client.staff.id],
  )
  return rows.map(({ act }) => act)
}

type CreationOptions = Parameters<SoftAuthenticator['create']>[0]
type RequestOptions = Parameters<SoftAuthenticator['get']>[0]
async function addPasskey(client: StaffClient, authenticator: SoftAuthenticator, own = password) {
  const begun = await client.call<Challenge<CreationOptions>>('POST', '/session/passkeys/registration', {
    body: { password: own },
    ...origin,
  })
  if (begun.status !== 200) return begun
  const { challengeId, options } = begun.body
  const answer = { challengeId, response: authenticator.create(options), name: 'Key' }
  return client.call<Passkey>('POST', '/session/passkeys', { body: answer, ...origin })
}
async function passkeyLogIn(authenticator: SoftAuthenticator) {
  const { body } = await openOfficeCall<Challenge<RequestOptions>>(
    venue.app,
    'POST',
    '/session/passkey/challenge',
    origin,
  )
  const answer = { challengeId: body.challengeId, response: authenticator.get(body.options) }
  return openOfficeCall<StaffSession>(venue.app, 'POST', '/session/passkey', { body: answer, ...origin })
}

it('without a factor nobody works where one is required, and each call of a role is refused', async () => {
  const client = await createStaff(venue, 'support')
  const shown = await client.get<StaffSession>('/session')
  expect(shown.body).toMatchObject({ needsSecondFactor: true, calls: [] })
  for (const path of ['/members', '/queues', '/products'])
    expect(await client.get(path)).toMatchObject({ status: 401, code: 'SECOND_FACTOR_REQUIRED' })
  // What another role does is refused as ever.
  expect((await client.get('/audit')).code).toBe('FORBIDDEN')
  expect((await setUp(client, 'wrong')).code).toBe('OLD_PASSWORD_WRONG')
  const { recoveryCodes } = await addApp(client)
  expect(recoveryCodes).toHaveLength(10)
  expect((await client.get('/members')).status).toBe(200)
  const after = await client.get<StaffSession>('/session')
  expect(after.body.needsSecondFactor).toBe(false)
  expect(after.body.calls).toContain('members.list')
  const factors = await client.get<SecondFactors>('/session/factors')
  expect(staffSessionRoutes.factors.answer.parse(factors.body)).toEqual(factors.body)
  expect(factors.body).toMatchObject({ passkeys: [], recoveryCodesLeft: 10 })
  expect(await actsOf(client)).toEqual(['create', 'set-password', 'add-authenticator'])
})

it('a log-in then needs a code, each code once, or a recovery code', async () => {
  const client = await createStaff(venue, 'support')
  const { name } = client.staff
  const { secret, recoveryCodes } = await addApp(client)
  expect(await logIn(name)).toMatchObject({
    status: 401,
    code: 'SECOND_FACTOR_REQUIRED',
    params: { totp: true, passkey: false },
  })
  expect((await logIn(name, '000000')).code).toBe('SECOND_FACTOR_WRONG')
  const code = codeOf(secret, 1)
  const opened = await logIn(name, code)
  expect(opened.status).toBe(200)
  expect((await staffClientOf(venue.app, opened).get('/members')).status).toBe(200)
  expect((await logIn(name, code)).code).toBe('SECOND_FACTOR_WRONG')
  expect((await logIn(name, recoveryCodes[0])).status).toBe(200)
  expect((await logIn(name, recoveryCodes[0])).code).toBe('SECOND_FACTOR_WRONG')
  const { rows } = await database.pool.query<{ details: string }>(
    `SELECT details FROM audit WHERE act = 'log-in' AND actor = $1 ORDER BY id`,
    [name],
  )
  expect(rows.map(({ details }) => details)).toEqual(['{"by":"totp"}', '{"by":"recovery"}'])
})

it('five wrong codes of whoever has the password lock the app there, and neither a known device nor recovery codes', async () => {
  const client = await createStaff(venue, 'support')
  const { secret, recoveryCodes } = await addApp(client)
  for (let i = 0; i < 5; i++)
    expect((await logIn(client.staff.name, '000000')).code).toBe('SECOND_FACTOR_WRONG')
  expect((await logIn(client.staff.name, codeOf(secret, 1))).code).toBe('LOCKED')
  expect((await logIn(client.staff.name, codeOf(secret, 1), client.deviceCookie)).status).toBe(200)
  expect((await logIn(client.staff.name, recoveryCodes[0])).status).toBe(200)
})

it('a passkey logs in alone, and with one the password alone does not', async () => {
  const client = await createStaff(venue, 'finance')
  const authenticator = softAuthenticator()
  expect((await addPasskey(client, authenticator, 'wrong')).code).toBe('OLD_PASSWORD_WRONG')
  expect((await addPasskey(client, authenticator)).status).toBe(201)
  expect((await client.get('/deposits')).status).toBe(200)
  expect(await logIn(client.staff.name)).toMatchObject({
    code: 'SECOND_FACTOR_REQUIRED',
    params: { totp: false, passkey: true },
  })
  const opened = await passkeyLogIn(authenticator)
  expect(opened.body.staff.name).toBe(client.staff.name)
  const other = staffClientOf(venue.app, opened)
  // A change ends the other sessions.
  const [own] = (await other.get<SecondFactors>('/session/factors')).body.passkeys
  expect((await other.post(`/session/passkeys/${own!.id}/remove`, { password })).status).toBe(204)
  expect((await client.get('/session')).status).toBe(401)
  expect((await other.get('/deposits')).code).toBe('SECOND_FACTOR_REQUIRED')
  expect((await passkeyLogIn(authenticator)).code).toBe('PASSKEY_INVALID')
})

it('the passkey of a disabled person logs in no more', async () => {
  const authenticator = softAuthenticator()
  const client = await createStaff(venue, 'finance')
  await addPasskey(client, authenticator)
  await venue.office('POST', `/staff/${client.staff.id}/disable`)
  expect((await passkeyLogIn(authenticator)).code).toBe('PASSKEY_INVALID')
})

it('a setup is of one session and used once', async () => {
  const [one, two] = [await createStaff(venue, 'support'), await createStaff(venue, 'support')]
  const { setupId, secret } = (await setUp(one)).body
  const add = (who: StaffClient) => who.post('/session/totp', { setupId, code: codeOf(secret) })
  expect((await add(two)).code).toBe('CHALLENGE_EXPIRED')
  expect((await one.post('/session/totp', { setupId, code: '000000' })).code).toBe('SECOND_FACTOR_WRONG')
  expect((await add(one)).status).toBe(201)
  expect((await add(one)).code).toBe('CHALLENGE_EXPIRED')
})

it('another app replaces the first one', async () => {
  const client = await createStaff(venue, 'support')
  const first = await addApp(client)
  const second = await addApp(client)
  expect((await logIn(client.staff.name, codeOf(first.secret, 1))).code).toBe('SECOND_FACTOR_WRONG')
  expect((await logIn(client.staff.name, first.recoveryCodes[0])).code).toBe('SECOND_FACTOR_WRONG')
  expect((await logIn(client.staff.name, codeOf(second.secret, 1))).status).toBe(200)
  expect((await client.post('/session/totp/remove', { password })).status).toBe(204)
  expect((await client.post('/session/totp/remove', { password })).code).toBe('NOT_FOUND')
})

it('an admin resets the factors of another person, never the own ones; a new code forgets them too', async () => {
  const admin = await createStaff(venue, 'admin')
  await addApp(admin)
  const lost = await createStaff(venue, 'support')
  const { secret } = await addApp(lost)
  const reset = (who: StaffClient, of: StaffClient) => who.post(`/staff/${of.staff.id}/reset-factors`)
  expect((await reset(lost, admin)).code).toBe('FORBIDDEN')
  expect((await reset(admin, admin)).code).toBe('FORBIDDEN')
  expect((await reset(admin, lost)).status).toBe(200)
  expect((await lost.get('/session')).status).toBe(401)
  const again = await logIn(lost.staff.name)
  expect(again.body.needsSecondFactor).toBe(true)
  expect((await logIn(lost.staff.name, codeOf(secret, 1))).status).toBe(200)
  const { rows } = await database.pool.query<{ actor: string }>(
    `SELECT actor FROM audit WHERE act = 'reset-factors' AND subject_id = $1`,
    [lost.staff.id],
  )
  expect(rows).toEqual([{ actor: admin.staff.name }])

  await addApp(staffClientOf(venue.app, again))
  const { body } = await venue.office<{ enrolment: { code: string } }>(
    'POST',
    `/staff/${lost.staff.id}/enrol`,
  )
  const enrolled = await enrolStaff(venue.app, body.enrolment.code)
  expect((await enrolled.get<StaffSession>('/session')).body.needsSecondFactor).toBe(true)
})
