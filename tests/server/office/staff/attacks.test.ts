import { lookKey } from '../../../../server/office/staff/lookAlikes.ts'
import { namesOfVenue } from '../../../../server/office/staff/accounts.ts'
import { connect } from 'node:net'
import { once } from 'node:events'
import { TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import type { StaffRole, StaffSession } from '../../../../contract/office/staff.ts'
import { minor } from '../../../../contract/units.ts'
import { askToDeposit, askToWithdraw } from '../../../support/memberRequests.ts'
import type { Challenge } from '../../../support/passkeys.ts'
import { softAuthenticator } from '../../../support/softAuthenticator.ts'
import {
  addStaffTotp,
  createStaff,
  enrolStaff,
  openAndApprove,
  openAndConfirm,
  openOfficeCall,
  type StaffClient,
  staffClientOf,
  staffPassword,
} from '../../../support/staffClient.ts'
import { withVenue } from '../../../support/withVenue.ts'

/** What a member of staff may try with more sessions, connections or names than one. */
const venue = await withVenue({ asRoles: true })
const [ada, abe] = [await createStaff(venue, 'admin', 'ada'), await createStaff(venue, 'admin', 'abe')]

type Answer = { status: string; approvedBy: string | null; proposal: Proposal | null }
const withdraw = async (amount = '1500.00'): Promise<string> =>
  askToWithdraw(await venue.createVerifiedMember(minor(500_000)), amount)
const deposit = async (): Promise<string> => askToDeposit(await venue.createVerifiedMember(), '60.00')
const approve = (who: StaffClient, id: string) => openAndApprove<Answer>(who, `/withdrawals/${id}`)
const logIn = (name: string, code?: string) =>
  openOfficeCall<StaffSession>(venue.app, 'POST', '/session', {
    body: { name, password: staffPassword, ...(code !== undefined && { code }) },
  })
const byTwo = async (path: string, body?: unknown): Promise<void> => {
  const { proposal } = (await ada.post<Answer>(path, body)).body
  expect((await openAndConfirm(abe, proposal!)).status).toBe(200)
}

let count = 0
/** By two admins, as there are two. */
async function hire(role: StaffRole, name = `new-${role}-${(count += 1)}`): Promise<StaffClient> {
  return enrolStaff(venue.app, await codeFor(name, role))
}
const codeFor = async (name: string, role: StaffRole): Promise<string> => {
  const { proposal } = (await ada.post<Answer>('/staff', { name, role })).body
  type Confirmed = { result: { enrolment: { code: string } } }
  return (await openAndConfirm<Confirmed>(abe, proposal!)).body.result.enrolment.code
}

/** Sends the head of a request, then its body once `between` is done. Returns the status. */
async function sendSlowly(who: StaffClient, path: string, between: () => Promise<unknown>): Promise<number> {
  const { port } = await venue.listen()
  const tcp = connect(port, '127.0.0.1')
  const head = [
    `POST /desk${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Cookie: ${who.cookie}`,
    `X-CSRF-Token: ${who.csrfToken}`,
    'Content-Type: application/json',
    'Content-Length: 2',
    // The answer 100 says that the venue has the head.
    'Expect: 100-continue',
    'Connection: close',
  ]
  tcp.write(`${head.join('\r\n')}\r\n\r\n{`)
  await once(tcp, 'data')
  await between()
  tcp.write('}')
  let text = ''
  for await (const chunk of tcp) text += String(chunk)
  return Number(text.split(' ')[1])
}

it('who is disabled or gets another role between the head of a request and its body does nothing', async () => {
  for (const change of ['disable', 'role'] as const) {
    const fay = await hire('finance')
    const id = await deposit()
    const answer = await sendSlowly(fay, `/deposits/${id}/approve`, async () => {
      if (change === 'disable') await ada.post(`/staff/${fay.staff.id}/disable`)
      else await byTwo(`/staff/${fay.staff.id}/role`, { role: 'support' })
    })
    expect([change, answer]).toEqual([change, 401])
  }
})

it('a proposal no longer counts once its proposer may not decide it', async () => {
  for (const change of ['disable', 'role', 'enrol'] as const) {
    const [fay, gus] = [await hire('finance'), await hire('finance')]
    const id = await withdraw()
    const { proposal } = (await approve(fay, id)).body
    // Ada has disabled another one today, so that this takes two as well.
    await byTwo(`/staff/${fay.staff.id}/${change}`, change === 'role' ? { role: 'content' } : undefined)
    await gus.get(`/withdrawals/${id}`)
    expect([change, (await gus.post(`/proposals/${proposal!.id}/confirm`)).code]).toEqual([
      change,
      'CONFLICT',
    ])
    // It makes room for a proposal of the colleague.
    expect((await approve(gus, id)).body.proposal).toMatchObject({
      proposedBy: gus.staff.name,
      status: 'open',
    })
  }
})

it('nobody confirms an own proposal through another session or another spelling of the name', async () => {
  const fay = await hire('finance', 'Fay')
  const id = await withdraw()
  const { proposal } = (await approve(fay, id)).body
  for (const name of ['fay', 'FAY', 'Ｆａｙ']) {
    const opened = await logIn(name)
    const other = staffClientOf(venue.app, opened)
    expect((await other.post(`/proposals/${proposal!.id}/confirm`)).code).toBe('SECOND_PERSON')
    expect((await approve(other, id)).code).toBe('SECOND_PERSON')
  }
})

it('a claimed proposal is decided by its holder only', async () => {
  const [fay, gus, hal] = [await hire('finance'), await hire('finance'), await hire('finance')]
  const id = await withdraw()
  const { proposal } = (await approve(fay, id)).body
  expect((await gus.post(`/queues/proposals/claim`, { item: proposal!.id })).status).toBe(200)
  expect((await hal.post(`/proposals/${proposal!.id}/confirm`)).code).toBe('CLAIMED')
  expect((await hal.post(`/proposals/${proposal!.id}/decline`, { reason: 'x' })).code).toBe('CLAIMED')
  await gus.get(`/withdrawals/${id}`)
  expect((await gus.post(`/proposals/${proposal!.id}/confirm`)).status).toBe(200)
})

it('no name looks like one that has signed', async () => {
  await venue.office('POST', '/codes', { body: {}, as: 'mei' })
  const taken: [string, string | undefined][] = []
  for (const name of ['mei', 'Mei', 'ｍｅｉ', 'venue', 'Venue', 'member', 'desk', 'expired', 'ADA'])
    taken.push([name, (await ada.post('/staff', { name, role: 'support' })).code])
  expect(taken).toEqual(taken.map(([name]) => [name, 'ACCOUNT_TAKEN']))
})

const lookAlikes = ['me\u0131', '0tt0', 'OTT0', 'Iisa', 'otto.', 'o.tto', 'lis_a', 'venue-', 'des.k']
/** Letters of several scripts, small capitals and signs of phonetics, digits of other scripts. */
const mixed = [
  'm\u0435i',
  '\u041cei',
  'v\u0435nue',
  'm\u0435mber',
  'd\u0435sk',
  '\u0430da',
  '\u043cei',
  'm\u1d07i',
  '\u0271ei',
  'ott\u0665',
  'mei\u4e00',
]
const invisible = ['mei\u3164', 'mei\uffa0', 'member\u3164', 'ot\u115fto']

it('no name can be taken for another one, in the call and in the database, and none has letters that nobody sees', async () => {
  await venue.office('POST', '/codes', { body: {}, as: 'mei' })
  for (const name of ['otto', 'lisa']) await codeFor(name, 'support')
  const answers: [string, string | undefined][] = []
  for (const name of lookAlikes)
    answers.push([name, (await ada.post('/staff', { name, role: 'support' })).code])
  expect(answers).toEqual(lookAlikes.map((name) => [name, 'ACCOUNT_TAKEN']))
  for (const name of [...invisible, ...mixed]) {
    const { code, fields } = await ada.post('/staff', { name, role: 'support' })
    expect([name, code, fields]).toEqual([name, 'VALIDATION', { name: 'INVALID' }])
  }
  // Names that only share letters are free.
  for (const name of ['mel', 'lise', 'l.iss', '王小明', 'Đỗ-Hạnh', 'Ольга'])
    expect((await ada.post('/staff', { name, role: 'support' })).status).toBe(201)
  // Nobody signs as one of them with the key either.
  for (const name of ['l\u0456sa', '0tto', 'v\u0435nue', 'ott\u200bo', '\u043cei', 'otto:', ' . lisa']) {
    const { code, fields } = await venue.office('POST', '/codes', { body: {}, as: name })
    expect([name, code, fields]).toEqual([name, 'VALIDATION', { as: 'INVALID' }])
  }
  const insert = (name: string, key: string | null): Promise<unknown> =>
    venue.database.pool.query(
      `INSERT INTO staff (id, name, name_key, look_key, role, status, created_at, created_by)
       VALUES ($1, $1, $1, $2, 'support', 'invited', 1, 'ada')`,
      [name, key],
    )
  await expect(insert('0tto', await lookKey('0tto'))).rejects.toThrow('staff_look_unique')
  await expect(insert('0tto', null)).rejects.toThrow('null value in column "look_key"')
  for (const name of namesOfVenue)
    await expect(insert(name.replace('e', '\u0435'), await lookKey(name))).rejects.toThrow('nobody else')
  for (const name of invisible) await expect(insert(name, `look of ${name}`)).rejects.toThrow('nobody else')
})

it('a session of the staff is none of a member', async () => {
  const member = await venue.registerMember()
  const sid = ada.cookie.split('=')[1]
  for (const headers of [
    { cookie: `sid=${sid}`, 'x-csrf-token': ada.csrfToken },
    { authorization: `Session ${sid}` },
  ]) {
    const answer = await venue.app.inject({ method: 'GET', url: '/api/me', headers })
    expect(answer.statusCode).toBe(401)
  }
  const asDesk = await openOfficeCall(venue.app, 'GET', '/staff', {
    headers: { authorization: `Session ${member.sid}` },
  })
  expect(asDesk.status).toBe(401)
})

it('one code of an app opens one session, also for two at once', async () => {
  const fay = await hire('finance')
  const { secret, recoveryCodes } = await addStaffTotp(fay, venue.clock.now())
  venue.clock.leap(60_000)
  const code = new TOTP({ secret }).generate({ timestamp: venue.clock.now() })
  for (const one of [code, recoveryCodes[0]!]) {
    const ends = await Promise.all([1, 2, 3, 4].map(() => logIn(fay.staff.name, one)))
    expect(ends.filter(({ status }) => status === 200)).toHaveLength(1)
  }
})

it('a code of an enrolment opens one account once, also for two at once', async () => {
  const code = await codeFor('ivy', 'finance')
  const ends = await Promise.all(
    [1, 2, 3].map(() =>
      openOfficeCall(venue.app, 'POST', '/enrolment', {
        body: { code, password: staffPassword },
      }),
    ),
  )
  expect(ends.filter(({ status }) => status === 201)).toHaveLength(1)
})

it('a challenge of a member’s log-in is none of the office, and the reverse', async () => {
  const origin = { host: 'localhost', origin: 'http://localhost' }
  type Options = Parameters<ReturnType<typeof softAuthenticator>['get']>[0]
  const fay = await hire('finance')
  const authenticator = softAuthenticator()
  const begun = await fay.call<Challenge<Parameters<typeof authenticator.create>[0]>>(
    'POST',
    '/session/passkeys/registration',
    {
      body: { password: staffPassword },
      headers: origin,
    },
  )
  const added = await fay.call('POST', '/session/passkeys', {
    body: {
      challengeId: begun.body.challengeId,
      response: authenticator.create(begun.body.options),
      name: 'Key',
    },
    headers: origin,
  })
  expect(added.status).toBe(201)
  const ofMember = await venue.app.inject({
    method: 'POST',
    url: '/api/auth/login/passkey/challenge',
    headers: origin,
    payload: {},
  })
  const ofStaff = await openOfficeCall<Challenge<Options>>(venue.app, 'POST', '/session/passkey/challenge', {
    headers: origin,
  })
  const { challengeId, options } = ofMember.json<Challenge<Options>>()
  const tried = await openOfficeCall(venue.app, 'POST', '/session/passkey', {
    body: { challengeId, response: authenticator.get(options) },
    headers: origin,
  })
  expect(tried.code).toBe('CHALLENGE_EXPIRED')
  const answer = { challengeId: ofStaff.body.challengeId, response: authenticator.get(ofStaff.body.options) }
  const tries = await Promise.all(
    [1, 2, 3].map(() =>
      openOfficeCall(venue.app, 'POST', '/session/passkey', { body: answer, headers: origin }),
    ),
  )
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
})

it('a reply has no picture that is not its sender’s for this member', async () => {
  const [support, member, other] = [
    await hire('support'),
    await venue.registerMember(),
    await venue.registerMember(),
  ]
  await member.send('POST', '/service/messages', { body: 'Hello' })
  for (const uploadId of [
    await venue.upload(other, 'id_front'),
    await venue.upload(member, 'id_front'),
    await venue.upload(member, 'service'),
  ]) {
    const answer = await support.post(`/service/${member.id}`, { body: 'See', uploadId })
    expect([answer.status, answer.fields]).toEqual([400, { uploadId: 'INVALID' }])
  }
})

it('nobody proposes what is decided already', async () => {
  const [fay, gus] = [await hire('finance'), await hire('finance')]
  const id = await withdraw()
  await approve(fay, id)
  expect((await approve(gus, id)).status).toBe(200)
  expect((await approve(fay, id)).code).toBe('CONFLICT')
  expect((await fay.post(`/withdrawals/${id}/pay`, { reference: 'B-1' })).status).toBe(200)
  expect((await approve(fay, id)).code).toBe('CONFLICT')
})
