import { expect, it } from 'vitest'
import type { Message } from '../../../../contract/content.ts'
import type { LoginEvent } from '../../../../contract/logins.ts'
import type { WithdrawalRest } from '../../../../contract/withdrawals.ts'
import { networkOf } from '../../../../server/members/accounts/network.ts'
import { call, type MemberClient } from '../../../support/apiCalls.ts'
import { loginPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ settings: { withdrawalRestMs: 60_000 } })
const logIn = (account: string, password = loginPassword) =>
  call(venue.app, 'POST', '/auth/login', { body: { account, password } })
const loginsOf = async (member: MemberClient): Promise<LoginEvent[]> =>
  (await member.get<{ items: LoginEvent[] }>('/auth/logins')).body.items
const keysOf = (member: MemberClient): string[] =>
  venue.bus.eventsFor<Message>(member.id, 'message').map(({ key }) => key)

it('lists log-ins and wrong tries of an account, without an address', async () => {
  const member = await venue.registerMember()
  await logIn(member.account, 'not the password')
  await expect.poll(async () => (await loginsOf(member)).length).toBe(2)
  expect(
    (await loginsOf(member)).map(({ result, method, network, known }) => [result, method, network, known]),
  ).toEqual(
    expect.arrayContaining([
      ['failed', 'password', 'local', false],
      ['succeeded', 'password', 'local', false],
    ]),
  )
  const { rows } = await venue.database.pool.query('SELECT * FROM login_event')
  expect(JSON.stringify(rows)).not.toContain('127.0.0.1')
  const other = await venue.createMember()
  expect(await loginsOf(other)).toEqual([])
})

it('informs a member about a device that is new, except at the first log-in of all', async () => {
  const member = await venue.registerMember()
  expect(keysOf(member)).not.toContain('loginNewDevice')
  await logIn(member.account)
  expect(keysOf(member)).toContain('loginNewDevice')
})

it('ends all sessions and rests withdrawals if the member denies a log-in', async () => {
  const member = await venue.registerMember()
  const [login] = await loginsOf(member)
  const stranger = await venue.createMember()
  expect((await stranger.send('POST', `/auth/logins/${login!.id}/deny`)).status).toBe(404)
  expect((await member.send('POST', `/auth/logins/${login!.id}/deny`)).status).toBe(204)
  expect((await member.get('/me')).status).toBe(401)
  const again = await venue.openSession(member.id)
  const { rest } = (await again.get<{ rest: WithdrawalRest }>('/withdrawal-account')).body
  expect(rest.cause).toBe('login_denied')
  expect((await loginsOf(again)).map(({ deniedAt }) => deniedAt)).toEqual([venue.clock.now()])
})

it.each([
  ['127.0.0.1', 'local'],
  ['10.1.2.3', 'local'],
  ['::ffff:192.168.1.4', 'local'],
  ['::1', 'local'],
  ['fe80::1', 'local'],
  ['fe80::1%eth0', 'local'],
  ['unknown', 'ipv4'],
  ['203.0.113.9', 'ipv4'],
  ['2001:db8::1', 'ipv6'],
])('knows of %s only that it is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
