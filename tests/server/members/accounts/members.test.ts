import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { paths } from '../../../../contract/pagePaths.ts'
import { china } from '../../../../contract/phones.ts'
import type { Assets } from '../../../../contract/ledger.ts'
import type { LoginAnswer, MemberSession } from '../../../../contract/auth.ts'
import type { User } from '../../../../contract/member.ts'
import { loginFailure, usedCaptcha } from '../../../../server/members/schema.ts'
import { member } from '../../../../server/platform/db/schema.ts'
import { createPhones } from '../../../../server/members/accounts/phone.ts'
import { solveCaptcha } from '../../../support/captcha.ts'
import { loginPassword } from '../../../support/testMembers.ts'
import { testFence } from '../../../support/testFence.ts'
import { call, memberClient, type MemberClient } from '../../../support/apiCalls.ts'
import { withWork } from '../../../support/work.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ argon2: true, asRoles: true })
const { database } = venue

const validFields = { account: 'zhang_san', phone: '13812345678', openingCode: 'uptick' }
const passwords = {
  password: 'correct horse',
  confirmPassword: 'correct horse',
  transactionPassword: '135790',
  confirmTransactionPassword: '135790',
}
const check = (body: unknown) =>
  call<{ registerToken: string; expiresAt: number }>(venue.app, 'POST', '/auth/register/check', { body })
const register = (body: unknown) => call<{ memberId: string }>(venue.app, 'POST', '/auth/register', { body })
const login = (body: unknown, ip = '10.0.0.1', headers: Record<string, string> = {}) =>
  call<LoginAnswer>(venue.app, 'POST', '/auth/login', { body, ip, headers })
const sidOf = (reply: { headers: Record<string, unknown> }): string =>
  /sid=([^;]+)/.exec(String(reply.headers['set-cookie']))![1]!

async function openAccount(account: string, phone: string, openingCode = 'UPTICK'): Promise<string> {
  const { registerToken } = (await check({ account, phone, openingCode })).body
  const reply = await register({ ...passwords, registerToken })
  expect(reply.status).toBe(201)
  return reply.body.memberId
}

async function loginClient(account: string, ip?: string): Promise<MemberClient> {
  const reply = await login({ account, password: passwords.password }, ip)
  expect(reply.status).toBe(200)
  return memberClient(venue.app, venue.random, {
    id: reply.body.user.id,
    sid: sidOf(reply),
    token: reply.body.token,
  })
}

describe('registration', () => {
  it.each([
    [{ ...validFields, account: '' }, { account: 'REQUIRED' }],
    [{ ...validFields, account: 'short' }, { account: 'ACCOUNT_FORMAT' }],
    [{ ...validFields, phone: '12812345678' }, { phone: 'PHONE_FORMAT' }],
    [{ ...validFields, openingCode: '' }, { openingCode: 'REQUIRED' }],
    [{ ...validFields, extra: 1 }, { extra: 'UNKNOWN_FIELD' }],
    [{}, { account: 'REQUIRED', phone: 'REQUIRED', openingCode: 'REQUIRED' }],
  ])('step 1 rejects %j', async (body, fields) => {
    const reply = await check(body)
    expect([reply.status, reply.code, reply.fields]).toEqual([400, 'VALIDATION', fields])
  })

  it('checks the opening code before the account and the phone', async () => {
    await openAccount('taken_one', '13911111111')
    const wrong = await check({ account: 'taken_one', phone: '13911111111', openingCode: 'NOPE' })
    expect([wrong.status, wrong.code]).toEqual([422, 'OPENING_CODE_INVALID'])
    const account = await check({ account: 'TAKEN_ONE', phone: '13911111112', openingCode: 'UPTICK' })
    expect([account.status, account.code]).toEqual([409, 'ACCOUNT_TAKEN'])
    const phone = await check({ account: 'taken_two', phone: '13911111111', openingCode: 'UPTICK' })
    expect([phone.status, phone.code]).toEqual([409, 'PHONE_TAKEN'])
  })

  it.each([
    [{ password: 'short', confirmPassword: 'short' }, { password: 'PASSWORD_WEAK' }],
    [{ password: '13812345678', confirmPassword: '13812345678' }, { password: 'PASSWORD_WEAK' }],
    [{ password: 'spongebob', confirmPassword: 'spongebob' }, { password: 'PASSWORD_BREACHED' }],
    [{ password: 'Zhang_San', confirmPassword: 'Zhang_San' }, { password: 'PASSWORD_WEAK' }],
    [{ confirmPassword: 'other horse' }, { confirmPassword: 'PASSWORD_MISMATCH' }],
    [
      { transactionPassword: '123456', confirmTransactionPassword: '654321' },
      {
        transactionPassword: 'TRANSACTION_PASSWORD_FORMAT',
        confirmTransactionPassword: 'TRANSACTION_PASSWORD_MISMATCH',
      },
    ],
  ])('step 2 rejects %j', async (change, fields) => {
    const { registerToken } = (await check(validFields)).body
    const reply = await register({ ...passwords, ...change, registerToken })
    expect([reply.status, reply.code, reply.fields]).toEqual([400, 'VALIDATION', fields])
  })

  it('rejects a forged token, and a token after thirty minutes', async () => {
    const { registerToken, expiresAt } = (await check({ ...validFields, account: 'too_late' })).body
    expect(expiresAt).toBe(venue.clock.now() + 30 * 60_000)
    const forged = await register({ ...passwords, registerToken: `${registerToken}x` })
    expect([forged.status, forged.code]).toEqual([422, 'REGISTER_TOKEN_EXPIRED'])
    await venue.clock.jumpBy(30 * 60_000 + 1)
    const late = await register({ ...passwords, registerToken })
    expect([late.status, late.code]).toEqual([422, 'REGISTER_TOKEN_EXPIRED'])
  })

  it('rejects a token that is used again, also concurrently', async () => {
    const fields = { ...validFields, account: 'only_once', phone: '13511111111' }
    const { registerToken } = (await check(fields)).body
    const concurrent = await Promise.all([1, 2].map(() => register({ ...passwords, registerToken })))
    const later = await register({ ...passwords, registerToken })
    const replies = [...concurrent, later].map(({ status, code }) => [status, code])
    expect(replies.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [201, undefined],
      [422, 'REGISTER_TOKEN_EXPIRED'],
      [422, 'REGISTER_TOKEN_EXPIRED'],
    ])
  })

  it('opens an account with practice money and its own opening code', async () => {
    const id = await openAccount(validFields.account, validFields.phone)
    const zhang = await loginClient('ZHANG_SAN')
    const me = (await zhang.get<User>('/me')).body
    expect(me).toMatchObject({
      id,
      account: 'zhang_san',
      phoneMasked: '138****5678',
      level: 1,
      verification: 'none',
      hasWithdrawalAccount: false,
      contactEmail: null,
    })
    expect(me.openingCode).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
    expect((await zhang.get<Assets>('/me/assets')).body).toEqual({
      total: '10000.00',
      available: '10000.00',
      held: '0.00',
      openStakes: '0.00',
      fund: '0.00',
      accountPnl: '0.00',
      todayPnl: '0.00',
      version: 1,
    })
    await openAccount('invited_1', '13700000001', me.openingCode.toLowerCase())
  })

  it('lets only one of two concurrent registrations have an account or a phone', async () => {
    const [a, b] = await Promise.all([
      check({ ...validFields, account: 'Race_Acc', phone: '13600000001' }),
      check({ ...validFields, account: 'race_acc', phone: '13600000002' }),
    ])
    const replies = await Promise.all(
      [a, b].map((step) => register({ ...passwords, registerToken: step.body.registerToken })),
    )
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([201, 409])
    expect(replies.find((reply) => reply.status === 409)?.code).toBe('ACCOUNT_TAKEN')
    const [c, d] = await Promise.all([
      check({ ...validFields, account: 'race_p1', phone: '13600000003' }),
      check({ ...validFields, account: 'race_p2', phone: '13600000003' }),
    ])
    const phones = await Promise.all(
      [c, d].map((step) => register({ ...passwords, registerToken: step.body.registerToken })),
    )
    expect(
      phones.map((reply) => [reply.status, reply.code]).toSorted(([a], [b]) => Number(a) - Number(b)),
    ).toEqual([
      [201, undefined],
      [409, 'PHONE_TAKEN'],
    ])
  })

  it('stores phone and password encrypted or hashed', async () => {
    const rows = await database.db.select().from(member)
    expect(JSON.stringify(rows)).not.toContain(validFields.phone)
    expect(JSON.stringify(rows)).not.toContain(passwords.password)
    expect(rows.find((row) => row.account === 'zhang_san')!.passwordHash).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
    )
    const phones = createPhones(venue.secrets.idempotencyKey, venue.random)
    expect(phones.decrypt(rows.find((row) => row.account === 'zhang_san')!.phoneSealed!)).toBe(
      validFields.phone,
    )
  })
})

describe('phone countries', () => {
  const singapore = { country: 'SG', dialCode: '65', pattern: '[89]\\d{7}' }
  const fields = { phone: '81234567', country: 'SG', openingCode: 'UPTICK' }

  it('validate a number by its country, keep it unique and reject it as a password', async () => {
    const abroad = await withVenue({ database, operatorConfig: { phoneRules: [china, singapore] } })
    const checkAbroad = (body: object) =>
      call<{ registerToken: string }>(abroad.app, 'POST', '/auth/register/check', { body })
    expect((await checkAbroad({ ...fields, account: 'wrong_one', phone: '13812345678' })).fields).toEqual({
      phone: 'PHONE_FORMAT',
    })
    expect((await checkAbroad({ ...fields, account: 'wrong_two', country: 'US' })).fields).toEqual({
      country: 'INVALID',
    })
    const { registerToken } = (await checkAbroad({ ...fields, account: 'from_sg' })).body
    const finish = (password: string) =>
      call<{ memberId: string }>(abroad.app, 'POST', '/auth/register', {
        body: { ...passwords, registerToken, password, confirmPassword: password },
      })
    expect((await finish('81234567')).fields).toEqual({ password: 'PASSWORD_WEAK' })
    const { memberId } = (await finish(passwords.password)).body
    const [row] = await database.db.select().from(member).where(eq(member.id, memberId))
    expect(row).toMatchObject({ phoneMasked: '+65****4567' })
    expect((await checkAbroad({ ...fields, account: 'second_sg' })).code).toBe('PHONE_TAKEN')
    expect(
      (await checkAbroad({ ...fields, account: 'from_cn1', phone: '13812349999', country: 'CN' })).status,
    ).toBe(200)
  })

  it('allow only China by default', async () => {
    expect((await check({ ...validFields, account: 'plain_cn', country: 'SG' })).fields).toEqual({
      country: 'INVALID',
    })
    const reply = await check({ ...validFields, account: 'plain_cn', phone: '13812340001', country: 'CN' })
    expect(reply.status).toBe(200)
  })
})

describe('log-in', () => {
  beforeAll(() => openAccount('li_si_01', '13500000001'))

  it('answers the same to a wrong password and an unknown account', async () => {
    const wrong = await login({ account: 'li_si_01', password: 'not it at all' }, '10.1.0.1')
    const unknown = await login({ account: 'nobody_here', password: 'not it at all' }, '10.1.0.1')
    const { requestId: _a, ...a } = (wrong.body as unknown as { error: Record<string, unknown> }).error
    const { requestId: _b, ...b } = (unknown.body as unknown as { error: Record<string, unknown> }).error
    expect([wrong.status, a]).toEqual([401, { code: 'BAD_CREDENTIALS' }])
    expect([unknown.status, b]).toEqual([401, { code: 'BAD_CREDENTIALS' }])
  })

  it.each(['li_si_01', 'no_such_one'])(
    'requires a captcha for %s after three failures at that address',
    async (account) => {
      const ip = '10.2.0.1'
      const wrong = { account, password: 'not it at all' }
      for (let i = 0; i < 3; i++) expect((await login(wrong, ip)).code).toBe('BAD_CREDENTIALS')
      expect((await login(wrong, ip)).code).toBe('CAPTCHA_REQUIRED')
      expect((await login({ ...wrong, captchaId: 'none', captcha: '0000' }, ip)).code).toBe('CAPTCHA_WRONG')
      const captcha = await solveCaptcha(venue)
      const { reply } = await withWork((work) => login({ ...wrong, ...captcha, ...(work && { work }) }, ip))
      expect(reply.code).toBe('BAD_CREDENTIALS')
      expect((await login(wrong, ip)).code).toBe('CAPTCHA_REQUIRED')
      expect((await login(wrong, '10.2.0.2')).code).toBe('WORK_REQUIRED')
    },
  )

  it('accepts a captcha once and within five minutes', async () => {
    const redeem = ({ captchaId, captcha }: Awaited<ReturnType<typeof solveCaptcha>>, answer = captcha) =>
      venue.members.captchas.redeem(database.db, captchaId, answer)
    const wrong = await solveCaptcha(venue)
    expect(await redeem(wrong, 'x')).toBe(false)
    expect(await redeem(wrong)).toBe(false)
    const right = await solveCaptcha(venue)
    expect(await redeem(right)).toBe(true)
    expect(await redeem(right)).toBe(false)
    const old = await solveCaptcha(venue)
    await venue.clock.jumpBy(5 * 60_000 + 1)
    expect(await redeem(old)).toBe(false)
  })

  it('forgets old failures and used captchas', async () => {
    await login({ account: 'nobody_old', password: 'not it at all' }, '10.2.0.9')
    const { captchaId, captcha } = await solveCaptcha(venue)
    await venue.members.captchas.redeem(database.db, captchaId, captcha)
    await venue.clock.jumpBy(3_600_000 + 1)
    expect(await database.db.select().from(loginFailure)).toEqual([])
    expect(await database.db.select().from(usedCaptcha)).toEqual([])
  })

  it('sends captchas whose markup is the same for all digits', async () => {
    const getCaptcha = () => call<{ svg: string }>(venue.app, 'GET', '/captcha')
    const pictures = await Promise.all([getCaptcha(), getCaptcha(), getCaptcha()])
    const png = /href="data:image\/png;base64,([\w+/=]+)"/
    const markups = new Set(pictures.map(({ body }) => body.svg.replace(png, '')))
    expect([...markups]).toEqual([
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 60" width="160" height="60">' +
        '<image width="160" height="60" /></svg>',
    ])
    for (const { body } of pictures) {
      const data = Buffer.from(png.exec(body.svg)?.[1] ?? '', 'base64')
      expect(await sharp(data).metadata()).toMatchObject({ format: 'png', width: 160, height: 60 })
    }
    expect(new Set(pictures.map(({ body }) => body.svg)).size).toBe(3)
  })

  it('sets cookies with HttpOnly and SameSite=Strict, over HTTPS also Secure and __Host-', async () => {
    const plain = await login({ account: 'li_si_01', password: passwords.password })
    expect(plain.headers['set-cookie']).toEqual([
      expect.stringMatching(/^sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^device=[\w.~-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    const secure = await login({ account: 'li_si_01', password: passwords.password }, '10.0.0.1', {
      'x-forwarded-proto': 'https',
    })
    expect(secure.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-sid=[\w-]{43}; .*Secure/),
      expect.stringMatching(/^__Host-device=[\w.~-]+; .*HttpOnly; Secure/),
    ])
    expect(plain.body.expiresAt).toBe(venue.clock.now() + 30 * 86_400_000)
  })
})

describe('sessions', () => {
  beforeAll(() => openAccount('wang_wu_1', '13400000001'))

  it('require the cookie, and the CSRF token for changes', async () => {
    const wang = await loginClient('wang_wu_1')
    expect((await call(venue.app, 'GET', '/me')).status).toBe(401)
    expect((await call(venue.app, 'GET', '/me', { headers: { cookie: 'sid=guess' } })).status).toBe(401)
    const noToken = await call(venue.app, 'POST', '/auth/logout', { headers: { cookie: `sid=${wang.sid}` } })
    expect([noToken.status, noToken.code]).toEqual([403, 'CSRF'])
    const other = await loginClient('wang_wu_1')
    const foreign = await call(venue.app, 'POST', '/auth/logout', {
      headers: { cookie: `sid=${wang.sid}`, 'x-csrf-token': other.token },
    })
    expect([foreign.status, foreign.code]).toEqual([403, 'CSRF'])
    expect((await wang.get('/me')).status).toBe(200)
  })

  it('end at log-out, with their sockets', async () => {
    const wang = await loginClient('wang_wu_1')
    expect((await wang.get('/me')).status).toBe(200)
    const current = (await wang.get<MemberSession[]>('/auth/sessions')).body.find((s) => s.current)!
    const out = await wang.send('POST', '/auth/logout')
    expect(out.status).toBe(204)
    expect((await wang.get('/me')).code).toBe('UNAUTHENTICATED')
    expect(venue.bus.endedSessions).toContainEqual({ sessionId: current.id, reason: 'logout' })
  })

  it('end when the browser logs in again', async () => {
    const before = await loginClient('wang_wu_1')
    await login({ account: 'wang_wu_1', password: passwords.password }, '10.0.0.1', {
      cookie: `sid=${before.sid}`,
    })
    expect((await before.get('/me')).status).toBe(401)
  })

  it('are listed and ended only by their own member', async () => {
    const here = await loginClient('wang_wu_1')
    const there = await loginClient('wang_wu_1')
    const otherMember = await venue.createMember()
    const list = (await here.get<MemberSession[]>('/auth/sessions')).body
    expect(list.filter((s) => s.current)).toHaveLength(1)
    const other = (await there.get<MemberSession[]>('/auth/sessions')).body.find((s) => s.current)!
    expect((await otherMember.send('DELETE', `/auth/sessions/${other.id}`)).status).toBe(404)
    expect((await there.get('/me')).status).toBe(200)
    expect((await here.send('DELETE', `/auth/sessions/${other.id}`)).status).toBe(204)
    expect((await there.get('/me')).status).toBe(401)
    expect((await here.send('DELETE', `/auth/sessions/${other.id}`)).status).toBe(404)
  })

  it('end after a day without use and after thirty days in any case', async () => {
    const idle = await venue.createMember()
    venue.clock.leap(24 * 3_600_000 - 1)
    expect((await idle.get('/me')).status).toBe(200)
    venue.clock.leap(24 * 3_600_000)
    expect((await idle.get('/me')).status).toBe(401)
    const busy = await venue.createMember()
    for (let hour = 0; hour < 30 * 24; hour += 20) {
      expect((await busy.get('/me')).status).toBe(200)
      venue.clock.leap(20 * 3_600_000)
    }
    expect((await busy.get('/me')).status).toBe(401)
    expect(await venue.sessions.endExpired(testFence)).toBeGreaterThan(1)
    expect(venue.bus.endedSessions.at(-1)?.reason).toBe('expired')
  })
})

describe('profile', () => {
  it.each([
    [{ nickname: '' }, { nickname: 'REQUIRED' }],
    [{ nickname: '   ' }, { nickname: 'REQUIRED' }],
    [{ nickname: '\u200b\u00ad\u3164' }, { nickname: 'REQUIRED' }],
    [{ nickname: 'a\nb' }, { nickname: 'INVALID' }],
    [{ nickname: 'a\u0085b' }, { nickname: 'INVALID' }],
    [{ nickname: 'a\u2028b' }, { nickname: 'INVALID' }],
    [{ nickname: 'a\u202eb' }, { nickname: 'INVALID' }],
    [{ nickname: 'a\ud800' }, { nickname: 'INVALID' }],
    [{ nickname: 'x'.repeat(25) }, { nickname: 'TOO_LONG' }],
    [{ contactEmail: 'not an address' }, { contactEmail: 'EMAIL_FORMAT' }],
    [{ level: 5 }, { level: 'UNKNOWN_FIELD' }],
  ])('rejects %j', async (body, fields) => {
    const client = await venue.createMember()
    const reply = await client.send('PATCH', '/me', body)
    expect([reply.status, reply.code, reply.fields]).toEqual([400, 'VALIDATION', fields])
  })

  it('sets the nickname and the contact e-mail, and an empty e-mail removes it', async () => {
    const client = await venue.createMember()
    const set = await client.send<User>('PATCH', '/me', {
      nickname: ' 小明 ',
      contactEmail: 'ming@example.com',
      password: loginPassword,
    })
    expect(set.body).toMatchObject({ nickname: '小明', contactEmail: 'ming@example.com' })
    expect(
      (await client.send<User>('PATCH', '/me', { contactEmail: '', password: loginPassword })).body
        .contactEmail,
    ).toBeNull()
    expect((await client.send<User>('PATCH', '/me', {})).body.nickname).toBe('小明')
  })

  it('asks for the password before it changes the contact e-mail, ends other sessions and says so', async () => {
    const client = await venue.createMember()
    const other = await venue.openSession(client.id)
    const address = { contactEmail: 'ming@example.com' }
    const bare = await client.send('PATCH', '/me', address)
    expect([bare.status, bare.code, bare.fields]).toEqual([400, 'VALIDATION', { password: 'REQUIRED' }])
    const wrong = await client.send('PATCH', '/me', { ...address, password: 'not it at all' })
    expect([wrong.status, wrong.code]).toEqual([422, 'OLD_PASSWORD_WRONG'])
    expect((await other.get('/me')).status).toBe(200)
    expect((await client.send('PATCH', '/me', { ...address, password: loginPassword })).status).toBe(200)
    expect((await other.get('/me')).status).toBe(401)
    // The same address again is no change.
    expect((await client.send('PATCH', '/me', address)).status).toBe(200)
    const { items } = (await client.get<{ items: { key: string; link: string }[] }>('/messages')).body
    expect(items.map(({ key }) => key)).toEqual(['contactAddressChanged'])
    expect(`/${items[0]?.link}`).toBe(paths.settings)
  })
})
