import { beforeAll, expect, it } from 'vitest'
import { lookMs } from '../../../../server/notices/index.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { loginPassword, transactionPassword } from '../../../support/testMembers.ts'
import { bankAccount } from '../../../support/payments.ts'
import { withVenue } from '../../../support/withVenue.ts'

let member: MemberClient & { account: string; phone: string }
const email = 'private@mail.test'
const privateText = 'private privateText'
const personal = [
  email,
  privateText,
  '王小明',
  '110101199003074610',
  bankAccount.accountName,
  bankAccount.accountAddress,
]

const venue = await withVenue({ ticking: true })
beforeAll(async () => {
  member = await venue.registerMember()
  await member.send('PATCH', '/me', { contactEmail: email, password: loginPassword })
  await venue.submitVerification(member)
  await venue.office('POST', `/verifications/${member.id}/approve`, { body: {} })
  await member.send('POST', '/withdrawal-account', bankAccount)
  await member.post('/withdrawals', { amount: '10.00', transactionPassword })
  await member.send('POST', '/service/messages', { body: privateText })
  await member.send('POST', '/auth/password-requests', {
    kind: 'transaction',
    oldPassword: transactionPassword,
    newPassword: '730518',
    confirmPassword: '730518',
  })
})

const countAuditRows = async (): Promise<number> =>
  Number((await venue.database.pool.query<{ n: string }>('SELECT count(*) AS n FROM audit')).rows[0]!.n)
/** The member's personal data in an answer, and how many rows of the act log the request wrote. */
async function readLogged(path: string): Promise<{ status: number; revealed: string[]; rows: number }> {
  const before = await countAuditRows()
  const { status, text } = await venue.office('GET', path)
  const revealed = [...personal, member.phone, bankAccount.cardNumber].filter((word) => text.includes(word))
  return { status, revealed, rows: (await countAuditRows()) - before }
}

it.each([
  ['/members', 1],
  ['/withdrawals', 1],
  ['/service', 1],
  ['/verifications', 1],
  ['/deposits', 1],
  ['/password-requests', 1],
  ['/audit', 1],
])('the list %s reveals no encrypted data', async (path, rows) => {
  expect(await readLogged(path)).toEqual({ status: 200, revealed: [], rows })
})

it('showing one member, thread or request reveals its data and writes an audit row', async () => {
  expect(await readLogged(`/members/${member.account}`)).toEqual({
    status: 200,
    revealed: [email, '王小明', member.phone],
    rows: 1,
  })
  expect(await readLogged(`/service/${member.account}`)).toEqual({
    status: 200,
    revealed: [privateText],
    rows: 1,
  })
  expect(await readLogged(`/verifications/${member.id}`)).toMatchObject({
    revealed: ['王小明', '110101199003074610'],
    rows: 1,
  })
  const { body } = await member.get<{ items: { no: string }[] }>('/withdrawals')
  expect(await readLogged(`/withdrawals/${body.items[0]!.no}`)).toMatchObject({
    revealed: ['王小明', bankAccount.accountName, bankAccount.accountAddress, bankAccount.cardNumber],
    rows: 1,
  })
})

it('showing a page of a thread by a message’s id writes an audit row with member and actor', async () => {
  const { body } = await venue.office<{ items: { id: string }[] }>('GET', '/service')
  const before = await countAuditRows()
  await venue.office('GET', `/service/${body.items[0]!.id}?limit=1`, { as: 'lan' })
  expect(await countAuditRows()).toBe(before + 1)
  const newest = await venue.database.pool.query(
    'SELECT actor, act, subject_kind, member_id FROM audit ORDER BY id DESC LIMIT 1',
  )
  expect(newest.rows).toEqual([
    { actor: 'lan', act: 'view', subject_kind: 'service_thread', member_id: member.id },
  ])
})

it('a thread that stays open writes a row each ten minutes, and one for each older page', async () => {
  const look = async (query = ''): Promise<number> => {
    const before = await countAuditRows()
    await venue.office('GET', `/service/${member.account}?limit=1${query}`, { as: 'kim' })
    return (await countAuditRows()) - before
  }
  await member.send('POST', '/service/messages', { body: 'Another' })
  const page = await venue.office<{ nextCursor: string }>('GET', `/service/${member.account}?limit=1`)
  expect([await look(), await look(), await look(`&cursor=${page.body.nextCursor}`)]).toEqual([1, 0, 1])
  await venue.clock.advance(lookMs)
  expect([await look(), await look()]).toEqual([1, 0])
})

it('the answers to changes reveal no encrypted data', async () => {
  const level = await venue.office('POST', `/members/${member.id}/level`, { body: { level: 3 } })
  const { body } = await member.get<{ items: { no: string }[] }>('/withdrawals')
  const approved = await venue.office('POST', `/withdrawals/${body.items[0]!.no}/approve`, { body: {} })
  expect([level.status, approved.status]).toEqual([200, 200])
  for (const word of personal) expect(level.text + approved.text).not.toContain(word)
})
