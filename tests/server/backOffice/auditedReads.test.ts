import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../server/db/open.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import { lookMs } from '../../../server/service/looks.ts'
import type { MemberClient } from '../../support/apiCalls.ts'
import { loginPassword, transactionPassword } from '../../support/testMembers.ts'
import { bankAccount } from '../../support/payments.ts'
import { openTickingVenue } from '../../support/tickingVenue.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'

let database: Database
let venue: TickingVenue
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

beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openTickingVenue(database)
  member = await venue.registerMember()
  await member.send('PATCH', '/me', { contactEmail: email, password: loginPassword })
  await venue.submitVerification(member)
  await venue.backOffice('POST', `/verifications/${member.id}/approve`, { body: {} })
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
afterAll(async () => {
  await venue.close()
  await database.close()
})

const countAuditRows = async (): Promise<number> =>
  Number((await database.pool.query<{ n: string }>('SELECT count(*) AS n FROM audit')).rows[0]!.n)
/** The member's personal data in an answer, and how many audit rows the request wrote. */
async function readAudited(path: string): Promise<{ status: number; revealed: string[]; rows: number }> {
  const before = await countAuditRows()
  const { status, text } = await venue.backOffice('GET', path)
  const revealed = [...personal, member.phone, bankAccount.cardNumber].filter((word) => text.includes(word))
  return { status, revealed, rows: (await countAuditRows()) - before }
}

it.each([
  '/members',
  '/withdrawals',
  '/service',
  '/verifications',
  '/deposits',
  '/password-requests',
  '/audit',
])('the list %s reveals no encrypted data', async (path) => {
  expect(await readAudited(path)).toEqual({ status: 200, revealed: [], rows: 0 })
})

it('showing one member, thread or request reveals its data and writes an audit row', async () => {
  expect(await readAudited(`/members/${member.account}`)).toEqual({
    status: 200,
    revealed: [email, member.phone],
    rows: 1,
  })
  expect(await readAudited(`/service/${member.account}`)).toEqual({
    status: 200,
    revealed: [privateText],
    rows: 1,
  })
  expect(await readAudited(`/verifications/${member.id}`)).toMatchObject({
    revealed: ['王小明', '110101199003074610'],
    rows: 1,
  })
  const { body } = await member.get<{ items: { no: string }[] }>('/withdrawals')
  expect(await readAudited(`/withdrawals/${body.items[0]!.no}`)).toMatchObject({
    revealed: ['王小明', bankAccount.accountName, bankAccount.accountAddress, bankAccount.cardNumber],
    rows: 1,
  })
})

it('showing a page of a thread by a message’s id writes an audit row with member and actor', async () => {
  const { body } = await venue.backOffice<{ items: { id: string }[] }>('GET', '/service')
  const before = await countAuditRows()
  await venue.backOffice('GET', `/service/${body.items[0]!.id}?limit=1`, { as: 'lan' })
  expect(await countAuditRows()).toBe(before + 1)
  const newest = await database.pool.query(
    'SELECT actor, act, subject_kind, member_id FROM audit ORDER BY id DESC LIMIT 1',
  )
  expect(newest.rows).toEqual([
    { actor: 'lan', act: 'view', subject_kind: 'service_thread', member_id: member.id },
  ])
})

it('a thread that stays open writes a row each ten minutes, and one for each older page', async () => {
  const look = async (query = ''): Promise<number> => {
    const before = await countAuditRows()
    await venue.backOffice('GET', `/service/${member.account}?limit=1${query}`, { as: 'kim' })
    return (await countAuditRows()) - before
  }
  await member.send('POST', '/service/messages', { body: 'Another' })
  const page = await venue.backOffice<{ nextCursor: string }>('GET', `/service/${member.account}?limit=1`)
  expect([await look(), await look(), await look(`&cursor=${page.body.nextCursor}`)]).toEqual([1, 0, 1])
  await venue.clock.advance(lookMs)
  expect([await look(), await look()]).toEqual([1, 0])
})

it('the answers to changes reveal no encrypted data', async () => {
  const level = await venue.backOffice('POST', `/members/${member.id}/level`, { body: { level: 3 } })
  const { body } = await member.get<{ items: { no: string }[] }>('/withdrawals')
  const approved = await venue.backOffice('POST', `/withdrawals/${body.items[0]!.no}/approve`, { body: {} })
  expect([level.status, approved.status]).toEqual([200, 200])
  for (const word of personal) expect(level.text + approved.text).not.toContain(word)
})
