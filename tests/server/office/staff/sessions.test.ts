import { expect, it } from 'vitest'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import { staffSession as sessionView, type StaffSession } from '../../../../contract/office/staff.ts'
import { hourMs, minuteMs } from '../../../../contract/time.ts'
import type { WorkAnswer } from '../../../../contract/work.ts'
import {
  createStaff,
  enrolStaff,
  openAndConfirm,
  openOfficeCall,
  staffClientOf,
  staffPassword,
} from '../../../support/staffClient.ts'
import { answerWork } from '../../../support/work.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ asRoles: true, settings: { deskRemote: true } })
const { database } = venue

/** Makes the rows of a table older, instead of a clock that runs all jobs between. */
const age = (table: 'staff_session', columns: readonly string[], ms: number) =>
  database.pool.query(`UPDATE ${table} SET ${columns.map((name) => `${name} = ${name} - ${ms}`).join(', ')}`)

const logIn = (name: string, password = staffPassword) =>
  openOfficeCall<StaffSession>(venue.app, 'POST', '/session', { body: { name, password } })

it('an enrolment code names its person, sets a password once, and logs in', async () => {
  const { body } = await venue.office<{ enrolment: { code: string; expiresAt: number } }>('POST', '/staff', {
    body: { name: '小美', role: 'support' },
  })
  const { code, expiresAt } = body.enrolment
  expect(expiresAt - venue.clock.now()).toBe(24 * hourMs)
  const checked = await openOfficeCall(venue.app, 'POST', '/enrolment/check', { body: { code } })
  expect(checked.body).toEqual({ name: '小美', role: 'support', expiresAt })
  const use = (password: string) =>
    openOfficeCall<StaffSession>(venue.app, 'POST', '/enrolment', { body: { code, password } })
  expect(await use('short 1')).toMatchObject({ status: 400, fields: { password: 'PASSWORD_WEAK' } })
  expect(await use('aaaaaaaaaaaaaa')).toMatchObject({ status: 400, fields: { password: 'PASSWORD_WEAK' } })
  const opened = await use(staffPassword)
  expect(opened.status).toBe(201)
  expect(sessionView.parse(opened.body)).toEqual(opened.body)
  expect(opened.body.calls).toContain('service.reply')
  expect(opened.body.calls).not.toContain('withdrawals.approve')
  expect(String(opened.headers['set-cookie'])).toMatch(/^staff=[\w-]{43};.*HttpOnly.*SameSite=Strict/)
  expect(await use(staffPassword)).toMatchObject({ status: 404 })
  expect((await logIn('小美')).status).toBe(200)
})

it('the session of an enrolment code begins in the transaction that sets its password', async () => {
  const { staff } = await createStaff(venue, 'support')
  const { rows } = await database.pool.query(
    `SELECT s.xmin = a.xmin AS "isOneTransaction" FROM staff_session s JOIN audit a ON a.subject_id = s.staff_id
     WHERE s.staff_id = $1 AND a.act = 'set-password'`,
    [staff.id],
  )
  expect(rows).toEqual([{ isOneTransaction: true }])
})

it('an enrolment code ends after a day', async () => {
  const { body } = await venue.office<{ enrolment: { code: string } }>('POST', '/staff', {
    body: { name: 'late', role: 'support' },
  })
  await database.pool.query(
    `UPDATE staff SET enrolment_expires_at = ${venue.clock.now()} WHERE name = 'late'`,
  )
  const used = { code: body.enrolment.code, password: staffPassword }
  expect((await openOfficeCall(venue.app, 'POST', '/enrolment', { body: used })).status).toBe(404)
})

it('a wrong password, an unknown name and a disabled account get the same answer', async () => {
  const gone = await createStaff(venue, 'content')
  await venue.office('POST', `/staff/${gone.staff.name}/disable`)
  expect((await gone.get('/session')).status).toBe(401)
  const member = await createStaff(venue, 'content')
  for (const tried of [logIn(member.staff.name, 'wrong'), logIn('nobody'), logIn(gone.staff.name)])
    expect(await tried).toMatchObject({ status: 401, code: 'BAD_CREDENTIALS' })
  // Each costs a row of the act log, with nothing that was typed: the time of the answer reveals no name.
  const { rows } = await database.pool.query(
    `SELECT actor, subject_id, details FROM audit WHERE act = 'log-in-refused' ORDER BY id`,
  )
  const details = '{"by":"password"}'
  expect(rows).toEqual([
    { actor: '?', subject_id: member.staff.id, details },
    { actor: '?', subject_id: '?', details },
    { actor: '?', subject_id: gone.staff.id, details },
  ])
})

it('wrong passwords of strangers make the right one work once on a new device, and never on a known one', async () => {
  const client = await createStaff(venue, 'content')
  const { name } = client.staff
  const at = (ip: string, password: string, work?: WorkAnswer, cookie = '') =>
    openOfficeCall<StaffSession>(venue.app, 'POST', '/session', {
      body: { name, password, ...(work && { work }) },
      headers: { 'x-forwarded-for': ip, cookie },
    })
  const wrongs = await Promise.all(Array.from({ length: 40 }, (_, i) => at(`10.40.0.${i}`, 'wrong')))
  expect(wrongs.filter(({ code }) => code === 'BAD_CREDENTIALS')).toHaveLength(4)
  expect((await at('10.40.1.1', staffPassword, undefined, client.deviceCookie)).status).toBe(200)
  const asked = await at('10.40.1.2', staffPassword)
  const work = answerWork(asked)
  // Not the answer of another address, nor of a member's login with the same name.
  expect((await at('10.40.1.3', staffPassword, work)).code).toBe('WORK_REQUIRED')
  expect((await at('10.40.1.2', staffPassword, work)).status).toBe(200)
  expect((await at('10.40.1.2', staffPassword, work)).code).toBe('WORK_REQUIRED')
})

it('a new password ends every device being known but that on which it was set, and an enrolment all', async () => {
  const client = await createStaff(venue, 'content')
  const { name, id } = client.staff
  const changedPassword = 'another long one 55'
  const other = staffClientOf(venue.app, await logIn(name))
  const changed = await client.call('POST', '/session/password', {
    body: { oldPassword: staffPassword, newPassword: changedPassword },
    headers: { cookie: `${client.cookie}; ${client.deviceCookie}` },
  })
  expect(changed.status).toBe(204)
  const own = /staffDevice=[^;]+/.exec(String(changed.headers['set-cookie']))?.[0] ?? ''
  for (let i = 0; i < 4; i++) await logIn(name, 'wrong')
  const logInWith = (cookie: string, password = changedPassword) =>
    openOfficeCall(venue.app, 'POST', '/session', { body: { name, password }, headers: { cookie } })
  expect((await logInWith(own)).status).toBe(200)
  for (const cookie of [client.deviceCookie, other.deviceCookie, ''])
    expect((await logInWith(cookie)).code).toBe('WORK_REQUIRED')
  const enrolled = await venue.office<{ enrolment: { code: string } }>('POST', `/staff/${id}/enrol`)
  const again = await enrolStaff(venue.app, enrolled.body.enrolment.code)
  expect((await logInWith(own, staffPassword)).code).toBe('WORK_REQUIRED')
  expect((await logInWith(again.deviceCookie, staffPassword)).status).toBe(200)
})

it('an open session changes its password whatever strangers try, and is locked by ten wrong tries of its own', async () => {
  const client = await createStaff(venue, 'content')
  for (let i = 0; i < 12; i++) await logIn(client.staff.name, 'wrong')
  const change = (oldPassword: string) =>
    client.post('/session/password', { oldPassword, newPassword: 'another long one 55' })
  for (let i = 0; i < 10; i++) expect((await change('wrong')).code).toBe('OLD_PASSWORD_WRONG')
  expect((await change(staffPassword)).code).toBe('LOCKED')
  const asked = await logIn(client.staff.name)
  const body = { name: client.staff.name, password: staffPassword, work: answerWork(asked) }
  const opened = await openOfficeCall<StaffSession>(venue.app, 'POST', '/session', { body })
  const other = staffClientOf(venue.app, opened)
  const passwords = { oldPassword: staffPassword, newPassword: 'another long one 55' }
  expect((await other.post('/session/password', passwords)).status).toBe(204)
})

it('a session needs its token for changes, and gives it again after a reload', async () => {
  const client = await createStaff(venue, 'admin')
  const body = { name: 'made-by-admin', role: 'content' }
  const without = await openOfficeCall(venue.app, 'POST', '/staff', {
    body,
    headers: { cookie: client.cookie },
  })
  expect(without).toMatchObject({ status: 403, code: 'CSRF' })
  const shown = await client.get<StaffSession>('/session')
  expect(shown.body.csrfToken).toBe(client.csrfToken)
  const other = { 'x-csrf-token': (await createStaff(venue, 'admin')).csrfToken }
  expect((await client.call('POST', '/staff', { body, headers: other })).code).toBe('CSRF')
  expect((await client.call('POST', '/staff', { body, headers: { origin: 'https://a.test' } })).status).toBe(
    403,
  )
  expect((await client.post('/staff', body)).status).toBe(201)
  expect((await client.get<{ items: object[] }>('/proposals?status=open')).body.items).toHaveLength(1)
})

it('a session ends after half an hour without a call; what the page asks by itself is none', async () => {
  const client = await createStaff(venue, 'support')
  await age('staff_session', ['last_seen_at'], 29 * minuteMs)
  expect((await client.get('/products')).status).toBe(200)
  await age('staff_session', ['last_seen_at'], 29 * minuteMs)
  expect((await client.get('/session')).status).toBe(200)
  await age('staff_session', ['last_seen_at'], minuteMs)
  expect(await client.get('/session')).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
})

it('a queue that is open and asks by its timers does not keep a session alive; what a person does, does', async () => {
  const client = await createStaff(venue, 'finance')
  const headers = { 'x-unattended': '1' }
  const poll = () => client.call('GET', '/queues/deposits', { headers })
  await age('staff_session', ['last_seen_at'], 29 * minuteMs)
  expect((await poll()).status).toBe(200)
  await age('staff_session', ['last_seen_at'], minuteMs)
  expect(await poll()).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })

  const worked = staffClientOf(venue.app, await logIn(client.staff.name))
  await age('staff_session', ['last_seen_at'], 29 * minuteMs)
  expect((await worked.call('POST', '/queues/deposits/next', { headers })).status).toBe(200)
  await age('staff_session', ['last_seen_at'], 29 * minuteMs)
  expect((await worked.get('/queues/deposits')).status).toBe(200)
  await age('staff_session', ['last_seen_at'], minuteMs)
  expect((await worked.get('/queues/deposits')).status).toBe(200)
})

it('a session ends after twelve hours, used or not', async () => {
  const client = await createStaff(venue, 'support')
  await age('staff_session', ['created_at'], 12 * hourMs - 1)
  expect((await client.get('/products')).status).toBe(200)
  await age('staff_session', ['created_at'], 1)
  expect((await client.get('/products')).status).toBe(401)
  const rows = async () => (await database.pool.query('SELECT 1 FROM staff_session')).rows.length
  expect(await rows()).toBeGreaterThan(0)
  await venue.clock.advance(2 * minuteMs)
  expect(await rows()).toBe(0)
})

it('log-out ends the session, a new password and a new role end the others', async () => {
  const first = await createStaff(venue, 'support')
  const second = staffClientOf(venue.app, await logIn(first.staff.name))
  const change = (oldPassword: string, newPassword: string) =>
    first.post('/session/password', { oldPassword, newPassword })
  expect(await change('wrong', 'another long one 3')).toMatchObject({
    status: 422,
    code: 'OLD_PASSWORD_WRONG',
  })
  expect(await change(staffPassword, staffPassword)).toMatchObject({
    fields: { newPassword: 'PASSWORD_SAME' },
  })
  expect((await change(staffPassword, 'another long one 3')).status).toBe(204)
  expect((await second.get('/session')).status).toBe(401)
  expect((await first.call('DELETE', '/session')).status).toBe(204)
  expect((await first.get('/session')).status).toBe(401)
  const third = staffClientOf(venue.app, await logIn(first.staff.name, 'another long one 3'))
  const [proposer, other] = [await createStaff(venue, 'admin'), await createStaff(venue, 'admin')]
  const asked = { role: 'finance' }
  const { body } = await proposer.post<{ proposal: Proposal }>(`/staff/${first.staff.id}/role`, asked)
  await openAndConfirm(other, body.proposal)
  expect((await third.get('/session')).status).toBe(401)
})

it('a password is changed only together with the end of the other sessions', async () => {
  const first = await createStaff(venue, 'support')
  const { name } = first.staff
  const second = staffClientOf(venue.app, await logIn(name))
  const change = (newPassword: string) =>
    first.post('/session/password', { oldPassword: staffPassword, newPassword })
  await database.owner.query(
    'CREATE TRIGGER kept BEFORE DELETE ON staff_session FOR EACH ROW EXECUTE FUNCTION deny_change()',
  )
  const failed = await change('another long one 3')
  await database.owner.query('DROP TRIGGER kept ON staff_session')
  expect(failed.status).toBe(500)
  expect((await second.get('/session')).status).toBe(200)
  expect((await logIn(name, 'another long one 3')).code).toBe('BAD_CREDENTIALS')
  expect((await change('another long one 3')).status).toBe(204)
  expect((await second.get('/session')).status).toBe(401)
})

it('a name is never given twice, and nobody with the key signs with the name of another', async () => {
  await createStaff(venue, 'support', 'Ada')
  await venue.office('POST', '/codes', { body: {}, as: 'guest' })
  for (const name of ['ada', 'ＡＤＡ', 'guest'])
    expect(await venue.office('POST', '/staff', { body: { name, role: 'admin' } })).toMatchObject({
      status: 409,
      code: 'ACCOUNT_TAKEN',
    })
  expect(await venue.office('GET', '/codes', { as: 'aDa' })).toMatchObject({
    status: 400,
    fields: { as: 'INVALID' },
  })
  const write = (sql: string) => venue.database.pool.query(sql)
  for (const sql of [
    "UPDATE staff SET name = 'Eve' WHERE name = 'Ada'",
    "DELETE FROM staff WHERE name = 'Ada'",
    'TRUNCATE staff CASCADE',
  ])
    await expect(write(sql)).rejects.toMatchObject({
      message: expect.stringMatching(/never changes|denied|append|removed|change/),
    })
})

it('the act log has the name of who acted, and who logged in', async () => {
  const client = await createStaff(venue, 'admin', 'Bo')
  await client.post('/codes', {})
  await logIn('Bo')
  const { body } = await venue.office<{ items: object[] }>('GET', '/audit?limit=2')
  expect(body.items).toMatchObject([
    { actor: 'Bo', act: 'log-in', subject: { kind: 'staff' } },
    { actor: 'Bo', act: 'issue' },
  ])
})

it('one active admin always stays', async () => {
  const live = await withVenue({ live: true })
  const first = await createStaff(live, 'admin')
  const second = await createStaff(live, 'admin')
  const [a, b] = await Promise.all([
    first.post(`/staff/${second.staff.id}/disable`),
    second.post(`/staff/${first.staff.id}/disable`),
  ])
  expect([a.status, b.status].filter((status) => status === 200)).toHaveLength(1)
  expect((await live.office('POST', '/staff', { body: { name: 'third', role: 'admin' } })).status).toBe(201)
})

it('in live mode the key acts only until there is staff, and then sets up two admins', async () => {
  const live = await withVenue({ live: true })
  const withKey = async () => [
    (await live.office('GET', '/members')).code,
    (await live.office('GET', '/staff')).code,
  ]
  expect(await withKey()).toEqual([undefined, undefined])
  await createStaff(live, 'admin')
  expect(await withKey()).toEqual(['FORBIDDEN', undefined])
  await createStaff(live, 'admin')
  expect(await withKey()).toEqual(['FORBIDDEN', 'FORBIDDEN'])
})
