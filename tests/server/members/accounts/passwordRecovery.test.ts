import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Message } from '../../../../contract/content.ts'
import type { WithdrawalRest } from '../../../../contract/withdrawals.ts'
import { minuteMs } from '../../../../contract/time.ts'
import { call } from '../../../support/apiCalls.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { loginPassword } from '../../../support/testMembers.ts'
import { testFence } from '../../../support/testFence.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'
import { recoveryQueryOf } from '../../../support/recoveryLink.ts'

const postgres = await withPostgres('password_recovery')
const newPassword = 'battery staple 9'
type Listed = { items: { id: string; memberId: string; recovery: boolean; kind: string }[] }
type Approved = { link?: string; linkExpiresAt?: number; recovery: boolean; status: string }
type Registered = Awaited<ReturnType<TestVenue['registerMember']>>

postgres.describe('a forgotten password', () => {
  let venue: TestVenue
  beforeAll(async () => {
    venue = await openTestVenue(postgres.database(), {
      asRoles: true,
      settings: { withdrawalRestMs: 60 * minuteMs },
    })
  })
  afterAll(() => venue.close())
  const ask = (body: object) => call(venue.app, 'POST', '/auth/recoveries', { body })
  const complete = (body: object) =>
    call<{ kind: string }>(venue.app, 'POST', '/auth/recoveries/complete', { body })
  const deliver = () => venue.passwordRecovery.deliver(testFence)
  const requestsOf = async (member: { id: string }) =>
    (await venue.office<Listed>('GET', '/password-requests?status=under_review&limit=100')).body.items.filter(
      ({ memberId }) => memberId === member.id,
    )
  const approve = async (member: Registered, kind = 'login') => {
    await ask({ kind, account: member.account, phone: member.phone })
    await deliver()
    const [request] = await requestsOf(member)
    const { body } = await venue.office<Approved>('POST', `/password-requests/${request!.id}/approve`, {
      body: { called: true },
    })
    return { ...body, code: recoveryQueryOf(body.link).get('code')! }
  }
  const logIn = (member: Registered, password: string) =>
    call(venue.app, 'POST', '/auth/login', { body: { account: member.account, password } })

  it('is answered in the same way whether or not the account and the phone exist', async () => {
    const member = await venue.registerMember()
    const other = await venue.registerMember()
    const bodies = [
      { account: member.account, phone: member.phone },
      { account: member.account, phone: other.phone },
      { account: 'nobody_1', phone: member.phone },
      { account: 'nobody_1', phone: '13900000000' },
    ]
    const statements = async () =>
      (await venue.database.pool.query('SELECT count(*)::int AS n FROM password_recovery_inbox')).rows[0]
        .n as number
    for (const [index, body] of bodies.entries()) {
      const reply = await ask({ kind: 'login', ...body })
      expect([reply.status, reply.body]).toEqual([202, { status: 'received' }])
      // The same work for each: nothing is looked up before the answer.
      expect(await statements()).toBe(index + 1)
    }
    expect(await deliver()).toBe(1)
    expect(await statements()).toBe(0)
    expect(await requestsOf(member)).toMatchObject([{ recovery: true, kind: 'login' }])
    expect(await requestsOf(other)).toEqual([])
    expect(venue.bus.eventsFor<Message>(member.id, 'message')).toMatchObject([
      { key: 'passwordRecoveryAsked' },
    ])
    await ask({ kind: 'login', ...bodies[0] })
    expect(await deliver()).toBe(0)
  })

  it('rejects what is no account or phone', async () => {
    const reply = await ask({ kind: 'login', account: 'a b', phone: '12' })
    expect([reply.status, reply.fields]).toEqual([400, { account: 'ACCOUNT_FORMAT', phone: 'PHONE_FORMAT' }])
  })

  it('gets a link that sets a new one once, ends all sessions, and rests withdrawals', async () => {
    const member = await venue.registerMember()
    const approved = await approve(member)
    expect(approved).toMatchObject({ recovery: true, status: 'successful' })
    expect(approved.linkExpiresAt).toBe(venue.clock.now() + 30 * minuteMs)
    expect((await member.get('/me')).status).toBe(200)
    expect((await logIn(member, loginPassword)).status).toBe(200)
    const body = { code: approved.code, newPassword, confirmPassword: newPassword }
    const weak = await complete({ ...body, newPassword: member.account, confirmPassword: member.account })
    expect([weak.status, weak.fields]).toEqual([400, { newPassword: 'PASSWORD_WEAK' }])
    expect((await complete({ ...body, confirmPassword: 'another one 9' })).code).toBe('PASSWORD_MISMATCH')

    const done = await complete(body)
    expect([done.status, done.body]).toEqual([200, { kind: 'login' }])
    expect((await member.get('/me')).status).toBe(401)
    expect((await logIn(member, loginPassword)).status).toBe(401)
    expect((await logIn(member, newPassword)).status).toBe(200)
    const again = await venue.openSession(member.id)
    const { rest } = (await again.get<{ rest: WithdrawalRest }>('/withdrawal-account')).body
    expect(rest.cause).toBe('password_recovered')
    const repeated = await complete(body)
    expect([repeated.status, repeated.code]).toEqual([410, 'RECOVERY_CODE_INVALID'])
  })

  it('sets a transaction password too', async () => {
    const member = await venue.registerMember()
    const { code } = await approve(member, 'transaction')
    const weak = await complete({ code, newPassword: '111111', confirmPassword: '111111' })
    expect(weak.fields).toEqual({ newPassword: 'TRANSACTION_PASSWORD_FORMAT' })
    expect((await complete({ code, newPassword: '730518', confirmPassword: '730518' })).status).toBe(200)
    expect(await venue.guard.verify(member.id, 'transaction', '730518')).toBe(true)
    expect((await logIn(member, loginPassword)).status).toBe(200)
  })

  it('is set by one of many requests with the same link', async () => {
    const member = await venue.registerMember()
    const { code } = await approve(member)
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        const password = `battery staple ${i}x`
        return complete({ code, newPassword: password, confirmPassword: password })
      }),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(7).fill(410),
    ])
  })

  it('has one link that works: the newest, for thirty minutes', async () => {
    const member = await venue.registerMember()
    const first = await approve(member)
    const second = await approve(member)
    const passwords = { newPassword, confirmPassword: newPassword }
    expect((await complete({ code: first.code, ...passwords })).code).toBe('RECOVERY_CODE_INVALID')
    const expires = `UPDATE password_recovery_code SET expires_at = ${venue.clock.now()} WHERE used_at IS NULL`
    await venue.database.pool.query(expires)
    expect((await complete({ code: second.code, ...passwords })).code).toBe('RECOVERY_CODE_INVALID')
    const stored = await venue.database.pool.query('SELECT * FROM password_recovery_code')
    expect(JSON.stringify(stored.rows)).not.toContain(second.code)
  })

  it('does not stand in the way of a request with the old password', async () => {
    const member = await venue.registerMember()
    await ask({ kind: 'login', account: member.account, phone: member.phone })
    await deliver()
    const change = { kind: 'login', oldPassword: loginPassword, newPassword, confirmPassword: newPassword }
    expect((await member.send('POST', '/auth/password-requests', change)).status).toBe(202)
    expect(new Set((await requestsOf(member)).map(({ recovery }) => recovery))).toEqual(
      new Set([false, true]),
    )
  })

  it('stays as it is if the back office rejects the request', async () => {
    const member = await venue.registerMember()
    await ask({ kind: 'login', account: member.account, phone: member.phone })
    await deliver()
    const [request] = await requestsOf(member)
    const reason = { body: { reason: 'Not the member' } }
    const rejected = await venue.office<Approved>('POST', `/password-requests/${request!.id}/reject`, reason)
    expect([rejected.status, rejected.body.link]).toEqual([200, undefined])
    expect((await logIn(member, loginPassword)).status).toBe(200)
  })
})
