import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { LoginAnswer } from '../../../../contract/auth.ts'
import type { Message } from '../../../../contract/content.ts'
import type { PasskeyPurpose } from '../../../../contract/passkeys.ts'
import type { SecondFactors } from '../../../../contract/secondFactors.ts'
import { dayMs, minuteMs } from '../../../../contract/time.ts'
import { member as memberTable } from '../../../../server/platform/db/schema.ts'
import { call, type MemberClient } from '../../../support/apiCalls.ts'
import { addPasskey, confirmByPasskey, type Challenge } from '../../../support/passkeys.ts'
import { bankAccount } from '../../../support/payments.ts'
import { softAuthenticator, type SoftAuthenticator } from '../../../support/softAuthenticator.ts'
import { loginPassword, transactionPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()
const { app } = venue
const password = loginPassword

type Options = Parameters<SoftAuthenticator['get']>[0]
type Deviation = Parameters<SoftAuthenticator['get']>[1]

const loginChallenge = async (): Promise<Challenge<Options>> =>
  (await call<Challenge<Options>>(app, 'POST', '/auth/login/passkey/challenge')).body
const logIn = (body: object) => call<LoginAnswer>(app, 'POST', '/auth/login/passkey', { body })
const loginBy = async (authenticator: SoftAuthenticator, deviation: Deviation = {}) => {
  const { challengeId, options } = await loginChallenge()
  return logIn({ challengeId, response: authenticator.get(options, deviation) })
}
const factorsOf = async (member: MemberClient): Promise<SecondFactors> =>
  (await member.get<SecondFactors>('/auth/second-factors')).body
const remove = (member: MemberClient, id: string, body: object) =>
  member.send('POST', `/auth/passkeys/${id}/remove`, body)

it('logs a member in by a passkey alone', async () => {
  const member = await venue.createMember()
  const { authenticator, passkey } = await addPasskey(member, { name: '  Phone ' })
  expect(passkey).toEqual({
    id: expect.any(String),
    name: 'Phone',
    createdAt: venue.clock.now(),
    lastUsedAt: null,
  })
  const { options } = await loginChallenge()
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  // Before the answer nobody says whose passkeys these could be.
  expect(options.allowCredentials).toBeUndefined()

  const reply = await loginBy(authenticator)
  expect([reply.status, reply.body.user.id]).toEqual([200, member.id])
  const sid = /sid=([^;]+)/.exec(String(reply.headers['set-cookie']))?.[1] ?? ''
  const client = venue.clientOf({ id: member.id, sid, token: reply.body.token })
  expect((await client.get('/me')).status).toBe(200)
  expect((await factorsOf(client)).passkeys).toMatchObject([{ lastUsedAt: venue.clock.now() }])
})

it.each([
  // The count of signatures did not rise.
  [true, [422, 'PASSKEY_INVALID']],
  [false, [410, 'CHALLENGE_EXPIRED']],
])('accepts an assertion once, with a count of signatures (%s) or without', async (counts, expected) => {
  const member = await venue.createMember()
  const { authenticator } = await addPasskey(member, {
    authenticator: softAuthenticator('http://localhost', { counts }),
  })
  const { challengeId, options } = await loginChallenge()
  const body = { challengeId, response: authenticator.get(options) }
  expect((await logIn(body)).status).toBe(200)
  const again = await logIn(body)
  expect([again.status, again.code]).toEqual(expected)
})

it('accepts an assertion until its challenge expires', async () => {
  const member = await venue.createMember()
  const { authenticator } = await addPasskey(member)
  const { challengeId, expiresAt, options } = await loginChallenge()
  expect(expiresAt).toBe(venue.clock.now() + 5 * minuteMs)
  const response = authenticator.get(options)
  venue.clock.leap(5 * minuteMs + 1)
  expect((await logIn({ challengeId, response })).code).toBe('CHALLENGE_EXPIRED')
  for (const invented of ['', 'x', 'AAAA'.repeat(40)])
    expect((await logIn({ challengeId: invented, response })).code).toBe('CHALLENGE_EXPIRED')
})

it.each<[string, Deviation]>([
  ['of another site', { origin: 'https://uptick.example.net' }],
  ['of another port', { origin: 'http://localhost:8081' }],
  ['for another relying party', { rpId: 'example.net' }],
  ['without verification of the user', { userVerified: false }],
  ['whose count of signatures went back', { counter: 0 }],
  ['that names another member', { userHandle: Buffer.from('somebody').toString('base64url') }],
])('rejects an assertion %s', async (_what, deviation) => {
  const member = await venue.createMember()
  const { authenticator } = await addPasskey(member)
  expect((await loginBy(authenticator)).status).toBe(200)
  const reply = await loginBy(authenticator, deviation)
  expect([reply.status, reply.code]).toEqual([422, 'PASSKEY_INVALID'])
})

it('rejects a passkey that nobody has, and a signature by another key', async () => {
  const member = await venue.createMember()
  const { authenticator } = await addPasskey(member)
  const { challengeId, options } = await loginChallenge()
  const response = authenticator.get(options)
  expect((await logIn({ challengeId, response: { ...response, id: 'AAAA', rawId: 'AAAA' } })).code).toBe(
    'PASSKEY_INVALID',
  )
  const [credential] = authenticator.credentials
  const stranger = softAuthenticator()
  await addPasskey(await venue.createMember(), { authenticator: stranger })
  const forged = { ...credential!, key: stranger.credentials[0]!.key }
  expect((await loginBy(authenticator, { credential: forged })).code).toBe('PASSKEY_INVALID')
})

it('rejects a registration by another site, or without verification of the user', async () => {
  const member = await venue.createMember()
  const begin = await member.send<Challenge<Parameters<SoftAuthenticator['create']>[0]>>(
    'POST',
    '/auth/passkeys/registration',
    { password },
  )
  const { challengeId, options } = begin.body
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Uptick' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  for (const deviation of [
    { origin: 'http://evil.example' },
    { userVerified: false },
    { rpId: 'evil.example' },
  ]) {
    const response = softAuthenticator().create(options, deviation)
    const reply = await member.send('POST', '/auth/passkeys', { challengeId, response, name: 'x' })
    expect([reply.status, reply.code]).toEqual([422, 'PASSKEY_INVALID'])
  }
  // Another session of the same member did not confirm it.
  const other = await venue.openSession(member.id)
  const response = softAuthenticator().create(options)
  const elsewhere = await other.send('POST', '/auth/passkeys', { challengeId, response, name: 'x' })
  expect(elsewhere.code).toBe('CHALLENGE_EXPIRED')
})

it('lets a member have twenty passkeys', async () => {
  const member = await venue.createMember()
  const { authenticator } = await addPasskey(member)
  for (let i = 1; i < 20; i += 1) await addPasskey(member, { authenticator, name: `Key ${i}` })
  await expect(addPasskey(member, { authenticator })).rejects.toThrow('PASSKEY_LIMIT')
  expect((await factorsOf(member)).passkeys).toHaveLength(20)
})

it('confirms each change by the password or a passkey, ends other sessions and sends a message', async () => {
  const member = await venue.createMember()
  const other = await venue.openSession(member.id)
  const { authenticator, passkey } = await addPasskey(member)
  expect((await other.get('/me')).status).toBe(401)
  expect((await member.get('/me')).status).toBe(200)

  const renamed = await member.send('PATCH', `/auth/passkeys/${passkey.id}`, { name: 'Old phone' })
  expect(renamed.body).toMatchObject({ id: passkey.id, name: 'Old phone' })
  for (const [body, code] of [
    [{ password: 'wrong' }, 'OLD_PASSWORD_WRONG'],
    [{}, 'VALIDATION'],
    [{ password, passkey: await confirmByPasskey(member, 'security', authenticator) }, 'VALIDATION'],
    [{ passkey: await confirmByPasskey(member, 'withdrawal', authenticator) }, 'CHALLENGE_EXPIRED'],
  ] as const)
    expect((await remove(member, passkey.id, body)).code).toBe(code)

  const third = await venue.openSession(member.id)
  const confirmed = { passkey: await confirmByPasskey(member, 'security', authenticator) }
  expect((await remove(member, passkey.id, confirmed)).status).toBe(204)
  expect((await third.get('/me')).status).toBe(401)
  expect((await remove(member, passkey.id, { password })).status).toBe(404)
  expect((await loginBy(authenticator)).code).toBe('PASSKEY_INVALID')
  expect(venue.bus.eventsFor<Message>(member.id, 'message')).toMatchObject([
    { key: 'passkeyAdded', params: { name: 'Phone' } },
    { key: 'passkeyRemoved', params: { name: 'Old phone' }, link: 'pages/security/security' },
  ])
})

it("does not let a member use another member's passkey or challenge", async () => {
  const [mine, theirs] = [await venue.createMember(), await venue.createMember()]
  const { passkey } = await addPasskey(mine)
  const { authenticator: stolen, passkey: other } = await addPasskey(theirs)
  const theirChallenge = await confirmByPasskey(theirs, 'security', stolen)
  expect((await remove(mine, passkey.id, { passkey: theirChallenge })).code).toBe('CHALLENGE_EXPIRED')
  const credential = stolen.credentials[0]!
  const answer = await confirmByPasskey(mine, 'security', stolen, { credential })
  expect((await remove(mine, passkey.id, { passkey: answer })).code).toBe('PASSKEY_INVALID')
  for (const reply of [
    await remove(mine, other.id, { password }),
    await mine.send('PATCH', `/auth/passkeys/${other.id}`, { name: 'Mine' }),
  ])
    expect(reply.status).toBe(404)
  expect((await factorsOf(theirs)).passkeys).toMatchObject([{ name: 'Phone' }])
})

it('locks the password after too many wrong confirmations', async () => {
  const member = await venue.createMember()
  const add = (text: string) => member.send('POST', '/auth/passkeys/registration', { password: text })
  for (let i = 0; i < 5; i += 1) expect((await add('wrong')).code).toBe('OLD_PASSWORD_WRONG')
  const locked = await add(password)
  expect([locked.status, locked.code]).toEqual([423, 'LOCKED'])
})

it('has no passkeys at an address without a host name', async () => {
  const reply = await call(app, 'POST', '/auth/login/passkey/challenge', {
    headers: { host: '127.0.0.1:8080' },
  })
  expect([reply.status, reply.code]).toEqual([422, 'PASSKEYS_UNAVAILABLE'])
})

it('confirms a withdrawal account and a withdrawal instead of the transaction password, each once', async () => {
  const member = await venue.createMember()
  const { authenticator } = await addPasskey(member)
  const { transactionPassword: _left, ...details } = bankAccount
  const bind = async (purpose: PasskeyPurpose) =>
    member.send('POST', '/withdrawal-account', {
      ...details,
      passkey: await confirmByPasskey(member, purpose, authenticator),
    })
  expect((await bind('withdrawal')).code).toBe('CHALLENGE_EXPIRED')
  expect((await bind('withdrawalAccount')).status).toBe(201)
  await venue.db.update(memberTable).set({ verification: 'verified' }).where(eq(memberTable.id, member.id))

  const passkeyAnswer = await confirmByPasskey(member, 'withdrawal', authenticator)
  const body = { amount: '100.00', passkey: passkeyAnswer }
  const key = venue.random.uuid()
  const first = await member.post('/withdrawals', body, key)
  expect(first.status).toBe(201)
  // The same request again is answered from its key; a new one with the same passkey answer is rejected.
  expect((await member.post('/withdrawals', body, key)).replayed).toBe(true)
  const second = await member.post('/withdrawals', body)
  expect([second.status, second.code]).toEqual([422, 'PASSKEY_INVALID'])
  expect((await venue.assetsOf(member)).held).toBe('100.00')
  for (const proof of [{}, { transactionPassword, passkey: passkeyAnswer }]) {
    const reply = await member.post('/withdrawals', { amount: '1.00', ...proof })
    expect([reply.status, reply.fields]).toEqual([400, { transactionPassword: 'EMPTY' }])
  }
})

it("does not confirm a withdrawal with another member's passkey", async () => {
  const [mine, theirs] = [await venue.createVerifiedMember(), await venue.createMember()]
  await addPasskey(mine)
  const { authenticator } = await addPasskey(theirs)
  const credential = authenticator.credentials[0]!
  const answer = await confirmByPasskey(mine, 'withdrawal', authenticator, { credential })
  const reply = await mine.post('/withdrawals', { amount: '100.00', passkey: answer })
  expect([reply.status, reply.code]).toEqual([422, 'PASSKEY_INVALID'])
})

it('is taken instead of the old login password, if it was asked for a security change', async () => {
  const member = await venue.registerMember()
  const { authenticator } = await addPasskey(member)
  const next = { kind: 'login', newPassword: 'battery staple 9', confirmPassword: 'battery staple 9' }
  const change = (passkey: object) => member.send('POST', '/auth/password-requests', { ...next, passkey })
  const other = await change(await confirmByPasskey(member, 'withdrawal', authenticator))
  expect(other.code).toBe('CHALLENGE_EXPIRED')
  expect((await change(await confirmByPasskey(member, 'security', authenticator))).status).toBe(202)
  const { items } = await venue.passwordRequests.office.list({ limit: 1 }, { memberId: member.id })
  expect(items[0]?.provenBy).toBe('passkey')
})

// Last, because it moves the clock ahead by days.
it('confirms a transfer out of the fund instead of the transaction password, each once', async () => {
  const { id } = await venue.createMember()
  const first = await venue.openSession(id)
  expect((await first.post('/fund/deposits', { amount: '500.00' })).status).toBe(201)
  await venue.clock.jumpBy(5 * dayMs)
  const member = await venue.openSession(id)
  const { authenticator } = await addPasskey(member)
  const withdraw = (proof: object) =>
    member.post('/fund/withdrawals', { amount: '100.00', mode: 'fast', ...proof })
  const other = await confirmByPasskey(member, 'withdrawal', authenticator)
  expect((await withdraw({ passkey: other })).code).toBe('CHALLENGE_EXPIRED')
  const passkey = await confirmByPasskey(member, 'fundWithdrawal', authenticator)
  expect((await withdraw({ passkey, transactionPassword })).status).toBe(400)
  expect((await withdraw({ passkey })).status).toBe(201)
  expect((await withdraw({ passkey })).code).toBe('PASSKEY_INVALID')
  expect((await venue.assetsOf(member)).available).toBe('9600.00')
})
