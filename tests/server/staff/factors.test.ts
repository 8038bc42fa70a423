import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StaffSession } from '../../../contract/backOffice/staff.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import {
  createStaff,
  enrolStaff,
  openDeskCall,
  staffClientOf,
  staffPassword,
} from '../../support/staffClient.ts'
import type { StaffClient } from '../../support/staffClient.ts'
import { openTestVenue } from '../../support/testVenue.ts'
import type { TestVenue } from '../../support/testVenue.ts'

let database: Database
let venue: TestVenue
beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openTestVenue(database, { settings: { staffSecondFactor: true } })
})
afterAll(async () => {
  await venue.close()
  await database.close()
})

const codeOf = (secret: string, stepsAhead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: venue.clock.now() + stepsAhead * 30_000,
  })
const logIn = (name: string, code?: string) =>
  openDeskCall<StaffSession>(venue.app, 'POST', '/session', {
    body: { name, password: staffPassword, ...(code !== undefined && { code }) },
  })
const setUp = (client: StaffClient, password = staffPassword) =>
  client.post<{ setupId: string; secret: string; uri: string }>('/session/totp/setup', { password })
/** A member of staff with an authenticator app. */
const withApp = async (client: StaffClient) => {
  const { setupId, secret } = (await setUp(client)).body
  const added = await client.post<{ recoveryCodes: string[] }>('/session/totp', {
    setupId,
    code: codeOf(secret),
  })
  expect(added.status).toBe(201)
  return { secret, recoveryCodes: added.body.recoveryCodes }
}

it('without an app nobody works where it is required; with one the session goes on', async () => {
  const client = await createStaff(venue, 'support')
  expect(await client.get('/members')).toMatchObject({ status: 401, code: 'SECOND_FACTOR_REQUIRED' })
  expect((await client.get<StaffSession>('/session')).body.hasSecondFactor).toBe(false)
  expect((await setUp(client, 'wrong')).code).toBe('BAD_CREDENTIALS')
  const { recoveryCodes } = await withApp(client)
  expect(recoveryCodes).toHaveLength(10)
  expect((await client.get('/members')).status).toBe(200)
  expect((await client.get<StaffSession>('/session')).body.hasSecondFactor).toBe(true)
})

it('a log-in then needs a code, each code once, or a recovery code', async () => {
  const client = await createStaff(venue, 'support')
  const { name } = client.staff
  const { secret, recoveryCodes } = await withApp(client)
  expect(await logIn(name)).toMatchObject({ status: 401, code: 'SECOND_FACTOR_REQUIRED' })
  expect((await logIn(name, '000000')).code).toBe('SECOND_FACTOR_WRONG')
  const code = codeOf(secret, 1)
  const opened = await logIn(name, code)
  expect(opened.status).toBe(200)
  expect((await staffClientOf(venue.app, opened).get('/members')).status).toBe(200)
  expect((await logIn(name, code)).code).toBe('SECOND_FACTOR_WRONG')
  expect((await logIn(name, recoveryCodes[0])).status).toBe(200)
  expect((await logIn(name, recoveryCodes[0])).code).toBe('SECOND_FACTOR_WRONG')
})

it('five wrong codes lock the app, also for the right password', async () => {
  const client = await createStaff(venue, 'support')
  const { secret } = await withApp(client)
  for (let i = 0; i < 5; i++)
    expect((await logIn(client.staff.name, '000000')).code).toBe('SECOND_FACTOR_WRONG')
  expect((await logIn(client.staff.name, codeOf(secret, 1))).code).toBe('LOCKED')
})

it('a setup is of one person and used once, and a new enrolment code forgets the app', async () => {
  const [one, two] = [await createStaff(venue, 'support'), await createStaff(venue, 'support')]
  const { setupId, secret } = (await setUp(one)).body
  const add = (who: StaffClient) => who.post('/session/totp', { setupId, code: codeOf(secret) })
  expect((await add(two)).code).toBe('CHALLENGE_EXPIRED')
  expect((await one.post('/session/totp', { setupId, code: '000000' })).code).toBe('SECOND_FACTOR_WRONG')
  expect((await add(one)).status).toBe(201)
  expect((await add(one)).code).toBe('CHALLENGE_EXPIRED')
  const { body } = await venue.backOffice<{ enrolment: { code: string } }>(
    'POST',
    `/staff/${one.staff.id}/enrol`,
  )
  const again = await enrolStaff(venue.app, body.enrolment.code)
  expect((await again.get<StaffSession>('/session')).body.hasSecondFactor).toBe(false)
})
