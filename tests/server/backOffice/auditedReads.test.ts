import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../server/db/open.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import { openBackOfficeVenue, transactionPassword } from '../../support/backOfficeVenue.ts'
import type { BackOfficeVenue } from '../../support/backOfficeVenue.ts'
import type { MemberClient } from '../../support/testVenue.ts'
import { bankAccount } from '../../support/walletVenue.ts'

let database: Database
let venue: BackOfficeVenue
let member: MemberClient & { account: string; phone: string }
const email = 'private@mail.test'
const words = 'private words'
const personal = [
  email,
  words,
  '王小明',
  '110101199003074610',
  bankAccount.accountName,
  bankAccount.accountAddress,
]

beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openBackOfficeVenue(database)
  member = await venue.registerMember()
  await member.send('PATCH', '/me', { contactEmail: email })
  await venue.submitVerification(member)
  await venue.backOffice('POST', `/verifications/${member.id}/approve`, { body: {} })
  await member.send('POST', '/withdrawal-account', bankAccount)
  await member.post('/withdrawals', { amount: '10.00', transactionPassword })
  await member.send('POST', '/service/messages', { body: words })
  await member.send('POST', '/auth/password-requests', {
    kind: 'transaction',
    oldPassword: transactionPassword,
    newPassword: '730518',
    confirmPassword: '730518',
  })
}, 300_000)
afterAll(async () => {
  await venue.close()
  await database.close()
})

const rows = async (): Promise<number> =>
  Number((await database.pool.query<{ n: string }>('SELECT count(*) AS n FROM audit')).rows[0]!.n)
/** What of the member's sealed data a look tells, and how many rows of the audit it leaves. */
async function countAudited(path: string): Promise<{ status: number; tells: string[]; rows: number }> {
  const before = await rows()
  const { status, text } = await venue.backOffice('GET', path)
  const tells = [...personal, member.phone, bankAccount.cardNumber].filter((word) => text.includes(word))
  return { status, tells, rows: (await rows()) - before }
}

it.each([
  '/members',
  '/withdrawals',
  '/service',
  '/verifications',
  '/deposits',
  '/password-requests',
  '/audit',
])('a list tells nothing of what is sealed: %s', async (path) => {
  expect(await countAudited(path)).toEqual({ status: 200, tells: [], rows: 0 })
})

it('a look at one member, thread or request tells it, and is a row of the audit', async () => {
  expect(await countAudited(`/members/${member.account}`)).toEqual({
    status: 200,
    tells: [email, member.phone],
    rows: 1,
  })
  expect(await countAudited(`/service/${member.account}`)).toEqual({ status: 200, tells: [words], rows: 1 })
  expect(await countAudited(`/verifications/${member.id}`)).toMatchObject({
    tells: ['王小明', '110101199003074610'],
    rows: 1,
  })
  const { body } = await member.get<{ items: { no: string }[] }>('/withdrawals')
  expect(await countAudited(`/withdrawals/${body.items[0]!.no}`)).toMatchObject({
    tells: [bankAccount.accountName, bankAccount.accountAddress, bankAccount.cardNumber],
    rows: 1,
  })
})

it('a look at a thread says whose it was and who looked, also at a page of it and by a message’s id', async () => {
  const { body } = await venue.backOffice<{ items: { id: string }[] }>('GET', '/service')
  const before = await rows()
  await venue.backOffice('GET', `/service/${body.items[0]!.id}?limit=1`, { as: 'lan' })
  expect(await rows()).toBe(before + 1)
  const newest = await database.pool.query(
    'SELECT actor, act, subject_kind, member_id FROM audit ORDER BY id DESC LIMIT 1',
  )
  expect(newest.rows).toEqual([
    { actor: 'lan', act: 'view', subject_kind: 'service_thread', member_id: member.id },
  ])
})

it('an act answers with no more than the list tells', async () => {
  const level = await venue.backOffice('POST', `/members/${member.id}/level`, { body: { level: 3 } })
  const { body } = await member.get<{ items: { no: string }[] }>('/withdrawals')
  const approved = await venue.backOffice('POST', `/withdrawals/${body.items[0]!.no}/approve`, { body: {} })
  expect([level.status, approved.status]).toEqual([200, 200])
  for (const word of personal) expect(level.text + approved.text).not.toContain(word)
})
