import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../contract/content.ts'
import { memberClient, type MemberClient } from '../../../support/apiCalls.ts'
import { loginPassword, transactionPassword } from '../../../support/testMembers.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ asRoles: true })
const { database } = venue
const selfServiceVenue = await withVenue({ database, operatorConfig: { passwordSelfService: true } })
const newPassword = 'battery staple 9'
const login = {
  kind: 'login',
  oldPassword: loginPassword,
  newPassword,
  confirmPassword: newPassword,
}
const transaction = {
  kind: 'transaction',
  oldPassword: transactionPassword,
  newPassword: '730518',
  confirmPassword: '730518',
}
const requestChange = (member: MemberClient, body: object) =>
  member.send<{ id: string; status: string }>('POST', '/auth/password-requests', body)
const openSecondSession = async (at: TestVenue, member: MemberClient): Promise<MemberClient> => {
  const { sid, token } = await at.sessions.open(member.id, { device: 'Other', ip: '127.0.0.2' })
  return memberClient(at.app, at.random, { id: member.id, sid, token })
}
const isPassword = (at: TestVenue, member: MemberClient, kind: 'login' | 'transaction', text: string) =>
  at.guard.verify(member.id, kind, text)

describe('a password request', () => {
  it('takes effect when the back office approves it, and ends the other sessions', async () => {
    const member = await venue.createMember()
    const other = await openSecondSession(venue, member)
    const reply = await requestChange(member, login)
    expect([reply.status, reply.body]).toEqual([202, { id: expect.any(String), status: 'under_review' }])
    expect(await isPassword(venue, member, 'login', newPassword)).toBe(false)
    expect(await isPassword(venue, member, 'login', loginPassword)).toBe(true)
    expect((await other.get('/me')).status).toBe(200)

    const shown = await venue.passwordRequests.office.show(reply.body.id)
    expect(JSON.stringify(shown)).not.toContain('argon2')
    expect(shown.provenBy).toBe('password')
    await venue.passwordRequests.office.approve(reply.body.id, 'mei')
    expect(await isPassword(venue, member, 'login', newPassword)).toBe(true)
    expect(await isPassword(venue, member, 'login', loginPassword)).toBe(false)
    expect((await member.get('/me')).status).toBe(200)
    expect((await other.get('/me')).status).toBe(401)
    expect(venue.bus.endedSessions).toHaveLength(1)
    expect(venue.bus.eventsFor<Message>(member.id, 'message')).toMatchObject([
      { key: 'loginPasswordChanged' },
    ])
    for (const again of [
      () => venue.passwordRequests.office.approve(reply.body.id, 'mei'),
      () => venue.passwordRequests.office.reject(reply.body.id, 'no', 'mei'),
    ]) {
      await expect(again()).rejects.toMatchObject({ code: 'CONFLICT' })
    }
  })

  it('changes nothing if it is rejected, and its hash is deleted', async () => {
    const member = await venue.createMember()
    const { id } = (await requestChange(member, transaction)).body
    await venue.passwordRequests.office.reject(id, 'Call us first', 'mei')
    expect(await isPassword(venue, member, 'transaction', transactionPassword)).toBe(true)
    const { rows } = await venue.database.pool.query(
      `SELECT new_hash FROM password_request WHERE id = '${id}'`,
    )
    expect(rows).toEqual([{ new_hash: null }])
    expect(venue.bus.eventsFor<Message>(member.id, 'message')).toMatchObject([
      { key: 'passwordRequestFailed', params: { kind: 'transaction', reason: 'Call us first' } },
    ])
    expect((await requestChange(member, transaction)).status).toBe(202)
  })

  it('may be pending once for each kind', async () => {
    const member = await venue.createMember()
    expect((await requestChange(member, login)).status).toBe(202)
    expect((await requestChange(member, transaction)).status).toBe(202)
    for (const body of [login, transaction]) {
      const again = await requestChange(member, body)
      expect([again.status, again.code]).toEqual([409, 'ALREADY_PENDING'])
    }
  })

  it('is rejected if a field is invalid', async () => {
    const member = await venue.createMember()
    const requestError = async (body: object): Promise<unknown[]> => {
      const { status, code, fields } = await requestChange(member, body)
      return [status, code, fields]
    }
    expect(await requestError({ ...login, oldPassword: 'wrong' })).toEqual([
      422,
      'OLD_PASSWORD_WRONG',
      undefined,
    ])
    expect(await requestError({ ...login, confirmPassword: 'x' })).toEqual([
      422,
      'PASSWORD_MISMATCH',
      undefined,
    ])
    const weak = (text: string) => requestError({ ...login, newPassword: text, confirmPassword: text })
    expect(await weak('short')).toEqual([400, 'VALIDATION', { newPassword: 'PASSWORD_WEAK' }])
    expect(await weak('password123')).toEqual([400, 'VALIDATION', { newPassword: 'PASSWORD_WEAK' }])
    expect(await weak('spongebob')).toEqual([400, 'VALIDATION', { newPassword: 'PASSWORD_BREACHED' }])
    expect(await weak(loginPassword)).toEqual([400, 'VALIDATION', { newPassword: 'PASSWORD_SAME' }])
    const digits = (text: string) =>
      requestError({ ...transaction, newPassword: text, confirmPassword: text })
    for (const text of ['12345', '111111', '123456', 'abcdef']) {
      expect(await digits(text)).toEqual([400, 'VALIDATION', { newPassword: 'TRANSACTION_PASSWORD_FORMAT' }])
    }
    expect(await digits(transactionPassword)).toEqual([400, 'VALIDATION', { newPassword: 'PASSWORD_SAME' }])
    expect(await requestError({ ...login, kind: 'other' })).toEqual([400, 'VALIDATION', { kind: 'INVALID' }])
    const { items } = await venue.passwordRequests.office.list({ limit: 100 })
    expect(items.filter(({ memberId }) => memberId === member.id)).toEqual([])
  })

  it('is rejected if the new password is the phone or the account', async () => {
    const phone = '13812345678'
    const account = 'longname99'
    const { registerToken } = await venue.members.registration.check(
      { account, phone, openingCode: 'UPTICK' },
      '127.0.0.1',
    )
    const passwords = { password: loginPassword, confirmPassword: loginPassword }
    const digits = { transactionPassword, confirmTransactionPassword: transactionPassword }
    const { memberId } = await venue.members.registration.open(
      { registerToken, ...passwords, ...digits },
      '127.0.0.1',
    )
    const { sid, token } = await venue.sessions.open(memberId, { device: 'Test', ip: '127.0.0.1' })
    const member = memberClient(venue.app, venue.random, { id: memberId, sid, token })
    for (const text of [phone, account, account.toUpperCase()]) {
      const reply = await requestChange(member, { ...login, newPassword: text, confirmPassword: text })
      expect(reply.fields).toEqual({ newPassword: 'PASSWORD_WEAK' })
    }
  })

  it('locks the old password after five wrong tries', async () => {
    const member = await venue.createMember()
    for (const [body, code] of [
      [login, 'LOCKED'],
      [transaction, 'TRANSACTION_PASSWORD_LOCKED'],
    ] as const) {
      for (let i = 0; i < 5; i++) {
        expect((await requestChange(member, { ...body, oldPassword: `wrong ${i}` })).code).toBe(
          'OLD_PASSWORD_WRONG',
        )
      }
      const locked = await requestChange(member, body)
      expect([locked.status, locked.code, locked.params]).toEqual([423, code, { retryAfterMs: 3_600_000 }])
    }
  })
})

it('with self-service a request takes effect at once, and ends the other sessions', async () => {
  const member = await selfServiceVenue.createMember()
  const other = await openSecondSession(selfServiceVenue, member)
  const reply = await requestChange(member, transaction)
  expect([reply.status, reply.body.status]).toEqual([202, 'successful'])
  expect(await isPassword(selfServiceVenue, member, 'transaction', '730518')).toBe(true)
  expect((await member.get('/me')).status).toBe(200)
  expect((await other.get('/me')).status).toBe(401)
  expect((await selfServiceVenue.passwordRequests.office.show(reply.body.id)).decidedBy).toBe('member')
})
