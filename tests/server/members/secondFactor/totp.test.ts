import { TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import type { LoginAnswer } from '../../../../contract/auth.ts'
import type { Message } from '../../../../contract/content.ts'
import type { SecondFactors } from '../../../../contract/secondFactors.ts'
import type { LoginEvent } from '../../../../contract/logins.ts'
import { hourMs, minuteMs } from '../../../../contract/time.ts'
import { call, type MemberClient } from '../../../support/apiCalls.ts'
import { addTotp } from '../../../support/passkeys.ts'
import { loginPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()
const { app } = venue
const password = loginPassword

type Setup = { setupId: string; secret: string; uri: string }
const begin = (member: MemberClient, body: object = { password }) =>
  member.send<Setup>('POST', '/auth/totp/setup', body)
const codeOf = (secret: string): string => new TOTP({ secret }).generate({ timestamp: venue.clock.now() })
/** A code that is right in no step near now. */
const wrongCode = (secret: string): string =>
  String((Number(codeOf(secret)) + 500_000) % 1_000_000).padStart(6, '0')
const addApp = async (member: MemberClient) => {
  const added = await addTotp(member, venue.clock.now())
  // The next code is another one.
  venue.clock.leap(minuteMs)
  return added
}
const logIn = (account: string, text = password, ip = '203.0.113.7') =>
  call<LoginAnswer>(app, 'POST', '/auth/login', { body: { account, password: text }, ip })
const secondStep = (loginId: unknown, code: string, { ip = '203.0.113.8' } = {}) =>
  call<LoginAnswer>(app, 'POST', '/auth/login/second-factor', { body: { loginId, code }, ip })
const factorsOf = async (member: MemberClient): Promise<SecondFactors> =>
  (await member.get<SecondFactors>('/auth/second-factors')).body

it('asks for a code of the app after the password', async () => {
  const member = await venue.registerMember()
  const { secret, uri, recoveryCodes } = await addApp(member)
  expect(uri).toBe(
    `otpauth://totp/Uptick:${member.account}?issuer=Uptick&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
  expect(recoveryCodes).toHaveLength(10)
  for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)

  const first = await logIn(member.account)
  expect([first.status, first.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  expect(first.headers['set-cookie']).toBeUndefined()
  const { loginId, expiresAt } = first.params!
  expect(expiresAt).toBe(venue.clock.now() + 5 * minuteMs)
  const wrong = await secondStep(loginId, wrongCode(secret))
  expect([wrong.status, wrong.code]).toEqual([422, 'SECOND_FACTOR_WRONG'])
  const right = await secondStep(loginId, codeOf(secret))
  expect([right.status, right.body.user.id]).toEqual([200, member.id])
  const logins = await member.get<{ items: LoginEvent[] }>('/auth/logins')
  // Both at one instant of the test's clock, so in any order.
  const byCode = logins.body.items.filter(({ method }) => method === 'code')
  expect(byCode.map(({ result }) => result).toSorted()).toEqual(['failed', 'succeeded'])
  expect(String(right.headers['set-cookie'])).toContain('sid=')
  // Neither the login nor the code works a second time.
  expect((await secondStep(loginId, recoveryCodes[0]!)).code).toBe('CHALLENGE_EXPIRED')
  const again = await logIn(member.account)
  expect((await secondStep(again.params!['loginId'], codeOf(secret))).code).toBe('SECOND_FACTOR_WRONG')
})

it('reveals nothing about a second factor without the password, or about an unknown account', async () => {
  const member = await venue.registerMember()
  await addApp(member)
  const replies = [
    await logIn(member.account, 'wrong', '203.0.113.9'),
    await logIn('nobody99', 'wrong', '203.0.113.10'),
  ]
  for (const { status, code, params } of replies)
    expect([status, code, params]).toEqual([401, 'BAD_CREDENTIALS', undefined])
})

it('accepts each recovery code once, and says how many are left', async () => {
  const member = await venue.registerMember()
  const { recoveryCodes } = await addApp(member)
  const use = async (code: string) =>
    secondStep((await logIn(member.account, password, '203.0.113.11')).params?.['loginId'], code)
  const reply = await use(recoveryCodes[3]!.toLowerCase())
  expect(reply.status).toBe(200)
  expect((await use(recoveryCodes[3]!)).code).toBe('SECOND_FACTOR_WRONG')
  expect(venue.bus.eventsFor<Message>(member.id, 'message').at(-1)).toMatchObject({
    key: 'recoveryCodeUsed',
    params: { left: '9' },
  })
  const sid = /sid=([^;]+)/.exec(String(reply.headers['set-cookie']))?.[1] ?? ''
  const client = venue.clientOf({ id: member.id, sid, token: reply.body.token })
  expect((await factorsOf(client)).recoveryCodesLeft).toBe(9)
  const replaced = await client.send<{ recoveryCodes: string[] }>('POST', '/auth/recovery-codes', {
    password,
  })
  expect(replaced.body.recoveryCodes).toHaveLength(10)
  expect((await use(recoveryCodes[4]!)).code).toBe('SECOND_FACTOR_WRONG')
  expect((await use(replaced.body.recoveryCodes[0]!)).status).toBe(200)
})

it('five wrong codes of whoever has the password lock the app where they came from, and nobody else', async () => {
  const member = await venue.registerMember()
  const { secret, recoveryCodes } = await addApp(member)
  const begin = async (ip: string) => (await logIn(member.account, password, ip)).params!['loginId']
  for (let i = 0; i < 5; i += 1) {
    const loginId = await begin(`203.0.113.${20 + i}`)
    expect((await secondStep(loginId, wrongCode(secret))).code).toBe('SECOND_FACTOR_WRONG')
  }
  const locked = await secondStep(await begin('203.0.113.30'), codeOf(secret))
  expect([locked.status, locked.code, locked.params]).toEqual([423, 'LOCKED', { retryAfterMs: hourMs }])
  const elsewhere = { ip: '203.0.113.99' }
  expect((await secondStep(await begin('203.0.113.31'), codeOf(secret), elsewhere)).status).toBe(200)
  expect((await secondStep(await begin('203.0.113.32'), recoveryCodes[0]!)).status).toBe(200)
  venue.clock.leap(hourMs)
  expect((await secondStep(await begin('203.0.113.33'), codeOf(secret))).status).toBe(200)
})

it('ends a log-in that waits for its code when the password changes', async () => {
  const member = await venue.registerMember()
  const { secret } = await addApp(member)
  const { params } = await logIn(member.account, password, '203.0.113.40')
  const newPassword = 'battery staple 9'
  const change = { kind: 'login', oldPassword: password, newPassword, confirmPassword: newPassword }
  const { id } = (await member.send<{ id: string }>('POST', '/auth/password-requests', change)).body
  await venue.passwordRequests.office.approve(id, 'mei')
  expect((await secondStep(params!['loginId'], codeOf(secret))).code).toBe('BAD_CREDENTIALS')
  // The code was not used by that.
  const next = await logIn(member.account, newPassword, '203.0.113.41')
  expect((await secondStep(next.params!['loginId'], codeOf(secret))).status).toBe(200)
})

it('expires a log-in that waits too long, and a setup', async () => {
  const member = await venue.registerMember()
  const { secret } = await addApp(member)
  const { params } = await logIn(member.account, password, '203.0.113.50')
  venue.clock.leap(5 * minuteMs + 1)
  expect((await secondStep(params!['loginId'], codeOf(secret))).code).toBe('CHALLENGE_EXPIRED')
  const other = await venue.createMember()
  const setup = (await begin(other)).body
  venue.clock.leap(10 * minuteMs + 1)
  const late = await other.send('POST', '/auth/totp', { setupId: setup.setupId, code: codeOf(setup.secret) })
  expect(late.code).toBe('CHALLENGE_EXPIRED')
})

it('adds one app, in the session that confirmed it, by a right code', async () => {
  const member = await venue.createMember()
  expect((await begin(member, { password: 'wrong' })).code).toBe('OLD_PASSWORD_WRONG')
  const { setupId, secret } = (await begin(member)).body
  const second = (await begin(member)).body
  const other = await venue.openSession(member.id)
  expect((await other.send('POST', '/auth/totp', { setupId, code: codeOf(secret) })).code).toBe(
    'CHALLENGE_EXPIRED',
  )
  const stranger = await venue.createMember()
  expect((await stranger.send('POST', '/auth/totp', { setupId, code: codeOf(secret) })).code).toBe(
    'CHALLENGE_EXPIRED',
  )
  expect((await member.send('POST', '/auth/totp', { setupId, code: wrongCode(secret) })).code).toBe(
    'SECOND_FACTOR_WRONG',
  )
  expect((await factorsOf(member)).totp).toBeNull()
  expect((await member.send('POST', '/auth/totp', { setupId, code: codeOf(secret) })).status).toBe(201)
  expect((await other.get('/me')).status).toBe(401)
  expect(await factorsOf(member)).toMatchObject({
    totp: { addedAt: venue.clock.now() },
    recoveryCodesLeft: 10,
  })
  for (const reply of [
    await begin(member),
    await member.send('POST', '/auth/totp', { setupId: second.setupId, code: codeOf(second.secret) }),
  ])
    expect([reply.status, reply.code]).toEqual([409, 'TOTP_ALREADY_ADDED'])
})

it('removes the app with its recovery codes', async () => {
  const member = await venue.registerMember()
  expect((await member.send('POST', '/auth/totp/remove', { password })).code).toBe('NOT_FOUND')
  expect((await member.send('POST', '/auth/recovery-codes', { password })).code).toBe('NOT_FOUND')
  await addApp(member)
  const other = await venue.openSession(member.id)
  expect((await member.send('POST', '/auth/totp/remove', { password: 'x' })).code).toBe('OLD_PASSWORD_WRONG')
  expect((await member.send('POST', '/auth/totp/remove', { password })).status).toBe(204)
  expect((await other.get('/me')).status).toBe(401)
  expect(await factorsOf(member)).toEqual({ passkeys: [], totp: null, recoveryCodesLeft: 0 })
  expect((await logIn(member.account, password, '203.0.113.60')).status).toBe(200)
  expect(venue.bus.eventsFor<Message>(member.id, 'message').map(({ key }) => key)).toEqual([
    'totpAdded',
    'totpRemoved',
    'loginNewDevice',
  ])
})

it('takes a code of the app, and no recovery code, instead of the old login password', async () => {
  const member = await venue.registerMember()
  const { secret, recoveryCodes } = await addApp(member)
  const next = { newPassword: 'battery staple 9', confirmPassword: 'battery staple 9' }
  const change = (proof: object, kind = 'login') =>
    member.send('POST', '/auth/password-requests', { kind, ...next, ...proof })
  expect((await change({})).fields).toEqual({ oldPassword: 'REQUIRED' })
  const both = await change({ code: codeOf(secret), oldPassword: password })
  expect(both.fields).toEqual({ oldPassword: 'REQUIRED' })
  expect((await change({ code: codeOf(secret) }, 'transaction')).fields).toEqual({ oldPassword: 'REQUIRED' })
  expect((await change({ code: recoveryCodes[0] })).code).toBe('SECOND_FACTOR_WRONG')
  expect((await change({ code: wrongCode(secret) })).code).toBe('SECOND_FACTOR_WRONG')
  expect((await change({ code: codeOf(secret) })).status).toBe(202)
  const { items } = await venue.passwordRequests.office.list({ limit: 1 }, { memberId: member.id })
  expect(items[0]?.provenBy).toBe('code')
  expect((await factorsOf(member)).recoveryCodesLeft).toBe(10)
})

it('is not changed while the account is frozen', async () => {
  const member = await venue.registerMember()
  await addApp(member)
  const reason = { reason: 'order_of_authority', tellMember: false } as const
  await venue.freezes.freeze(member.id, reason, 'mei', async () => undefined)
  for (const path of ['/auth/totp/remove', '/auth/recovery-codes', '/auth/passkeys/registration'])
    expect([path, (await member.send('POST', path, { password })).code]).toEqual([path, 'ACCOUNT_FROZEN'])
  expect((await factorsOf(member)).totp).not.toBeNull()
})
