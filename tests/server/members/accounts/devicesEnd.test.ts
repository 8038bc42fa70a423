import { expect, it } from 'vitest'
import type { LoginEvent } from '../../../../contract/logins.ts'
import type { Message } from '../../../../contract/content.ts'
import { call, type Reply } from '../../../support/apiCalls.ts'
import { testFence } from '../../../support/testFence.ts'
import { loginPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'
import { recoveryQueryOf } from '../../../support/recoveryLink.ts'

const venue = await withVenue({ operatorConfig: { passwordSelfService: true } })

const newPassword = 'battery staple 9'
const logIn = (account: string, password: string, cookie = '') =>
  call(venue.app, 'POST', '/auth/login', { body: { account, password }, headers: { cookie } })
const deviceCookie = (reply: Reply): string =>
  /device=[^;]+/.exec(String(reply.headers['set-cookie']))?.[0] ?? ''
const sidCookie = (reply: Reply): string => /sid=[^;]+/.exec(String(reply.headers['set-cookie']))?.[0] ?? ''
const isNewDevice = (of: { id: string }): number =>
  venue.bus.eventsFor<Message>(of.id, 'message').filter(({ key }) => key === 'loginNewDevice').length

it('a device whose log-in is denied is reported again when it comes back', async () => {
  const member = await venue.registerMember()
  const thief = deviceCookie(await logIn(member.account, loginPassword))
  const { items } = (await member.get<{ items: LoginEvent[] }>('/auth/logins')).body
  const denied = items.find(({ result }) => result === 'succeeded')
  expect((await member.send('POST', `/auth/logins/${denied!.id}/deny`)).status).toBe(204)
  const before = isNewDevice(member)
  expect((await logIn(member.account, loginPassword, thief)).status).toBe(200)
  expect(isNewDevice(member)).toBe(before + 1)
})

it.each(['login', 'transaction'])('a recovered %s password ends every device being known', async (kind) => {
  const member = await venue.registerMember()
  const known = deviceCookie(await logIn(member.account, loginPassword))
  await logIn(member.account, loginPassword, known)
  await call(venue.app, 'POST', '/auth/recoveries', {
    body: { kind, account: member.account, phone: member.phone },
  })
  await venue.passwordRecovery.deliver(testFence)
  type Requests = { items: { id: string; memberId: string }[] }
  const { items } = (await venue.office<Requests>('GET', '/password-requests?status=under_review')).body
  const request = items.find(({ memberId }) => memberId === member.id)
  const path = `/password-requests/${request!.id}/approve`
  const { link } = (await venue.office<{ link: string }>('POST', path, { body: { called: true } })).body
  const code = recoveryQueryOf(link).get('code')
  const set = kind === 'login' ? newPassword : '846215'
  const body = { code, newPassword: set, confirmPassword: set }
  expect((await call(venue.app, 'POST', '/auth/recoveries/complete', { body })).status).toBe(200)
  const before = isNewDevice(member)
  const password = kind === 'login' ? newPassword : loginPassword
  expect((await logIn(member.account, password, known)).status).toBe(200)
  expect(isNewDevice(member)).toBe(before + 1)
})

it('a new password ends every device being known but that on which it was set', async () => {
  const member = await venue.registerMember()
  const [first, second] = [
    await logIn(member.account, loginPassword),
    await logIn(member.account, loginPassword),
  ]
  const changed = await call(venue.app, 'POST', '/auth/password-requests', {
    body: { kind: 'login', oldPassword: loginPassword, newPassword, confirmPassword: newPassword },
    headers: {
      cookie: `${sidCookie(first)}; ${deviceCookie(first)}`,
      'x-csrf-token': (first.body as { token: string }).token,
    },
  })
  expect([changed.status, changed.body]).toMatchObject([202, { status: 'successful' }])
  const before = isNewDevice(member)
  expect((await logIn(member.account, newPassword, deviceCookie(changed))).status).toBe(200)
  expect(isNewDevice(member)).toBe(before)
  for (const [i, cookie] of [deviceCookie(first), deviceCookie(second)].entries()) {
    expect((await logIn(member.account, newPassword, cookie)).status).toBe(200)
    expect(isNewDevice(member)).toBe(before + 1 + i)
  }
})

it('a stranger with a stolen session makes no device known by a new password', async () => {
  const member = await venue.registerMember()
  const reply = await member.send('POST', '/auth/password-requests', {
    kind: 'login',
    oldPassword: loginPassword,
    newPassword,
    confirmPassword: newPassword,
  })
  expect([reply.status, deviceCookie(reply)]).toEqual([202, ''])
})

it('a new transaction password leaves devices known', async () => {
  const member = await venue.registerMember()
  const known = await logIn(member.account, loginPassword)
  const transaction = { oldPassword: '482913', newPassword: '846215', confirmPassword: '846215' }
  await member.send('POST', '/auth/password-requests', { kind: 'transaction', ...transaction })
  const before = isNewDevice(member)
  await logIn(member.account, loginPassword, deviceCookie(known))
  expect(isNewDevice(member)).toBe(before)
})
