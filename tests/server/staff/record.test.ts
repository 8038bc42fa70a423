import { afterAll, beforeAll, expect, it } from 'vitest'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { Found } from '../../../contract/backOffice/record.ts'
import type { Deposit } from '../../../contract/deposits.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import type { MemberClient } from '../../support/apiCalls.ts'
import { bankAccount } from '../../support/payments.ts'
import { createStaff } from '../../support/staffClient.ts'
import type { StaffClient } from '../../support/staffClient.ts'
import { transactionPassword } from '../../support/testMembers.ts'
import { openTickingVenue } from '../../support/tickingVenue.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'

let database: Database
let venue: TickingVenue
let member: MemberClient & { account: string; phone: string }
let clerk: StaffClient
beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openTickingVenue(database)
  member = await venue.registerMember()
  await venue.registerMember()
  clerk = await createStaff(venue, 'compliance')
  await venue.submitVerification(member)
  await clerk.post(`/verifications/${member.id}/approve`)
  await member.send('POST', '/withdrawal-account', bankAccount)
})
afterAll(async () => {
  await venue.close()
  await database.close()
})

const find = async (text: string) => {
  const { body } = await clerk.post<{ items: Found[] }>('/search', { q: text })
  expect(backOfficeRoutes.search.find.answer.parse(body)).toEqual(body)
  return body.items
}
const newestAct = async () =>
  (await database.pool.query('SELECT actor, act, member_id, details FROM audit ORDER BY id DESC LIMIT 1'))
    .rows[0]

it.each([
  ['the beginning of the account', () => member.account.slice(0, 5).toUpperCase(), 'account'],
  ['the phone', () => member.phone, 'phone'],
  ['the verified name', () => ' 王小明 ', 'name'],
  ['the number of the identity document', () => '110101199003074610', 'idNumber'],
  ['the payee', () => bankAccount.accountName.toUpperCase(), 'payee'],
  [
    'the card, typed with other spaces',
    () => bankAccount.cardNumber.replaceAll(/(.{4})/g, '$1 ').trim(),
    'payee',
  ],
])('finds a member by %s, without a sealed field in answer or audit', async (_what, text, by) => {
  const found = await find(text())
  expect(found).toContainEqual({
    kind: 'member',
    id: member.id,
    no: null,
    memberId: member.id,
    account: member.account,
    by,
  })
  const act = await newestAct()
  expect(act).toMatchObject({ actor: clerk.staff.name, act: 'search' })
  expect(JSON.stringify(act)).not.toContain(text().trim())
})

it('finds nothing by a part of a sealed field, and nothing twice', async () => {
  for (const part of ['王小', '1101011990', member.phone.slice(0, -1)]) expect(await find(part)).toEqual([])
  expect(await find(member.id)).toHaveLength(1)
})

it('finds requests and orders by number, and shows an order with its proof', async () => {
  const { no } = (await member.post<Deposit>('/deposits', { methodId: 'practice', amount: '10.00' })).body
  expect(await find(no.toLowerCase())).toMatchObject([
    { kind: 'deposit', no, memberId: member.id, by: 'number' },
  ])
  const product = await member.get<{ durations: { seconds: number; rateBp: number }[] }>('/products/BTCUSDT')
  const { seconds, rateBp } = product.body.durations[0]!
  const order = { productId: 'BTCUSDT', direction: 'up', amount: '10.00', seconds, rateBp }
  const placed = await member.post<{ id: string; no: string }>('/orders', {
    ...order,
    validUntil: venue.clock.now() + 9000,
  })
  expect((await clerk.get(`/orders/${placed.body.no}/proof`)).code).toBe('NOT_SETTLED')
  await venue.clock.advance((seconds + 2) * 1000)
  expect(await find(placed.body.no)).toMatchObject([{ kind: 'order', id: placed.body.id }])
  const shown = await clerk.get(`/orders/${placed.body.no}`)
  expect(backOfficeRoutes.orders.show.answer.parse(shown.body)).toEqual(shown.body)
  const proof = await clerk.get(`/orders/${placed.body.id}/proof`)
  const own = await member.get(`/orders/${placed.body.id}/proof`)
  expect({ ...proof.body, watermarkAt: 0 }).toEqual({ ...(own.body as object), watermarkAt: 0 })
  expect((await clerk.get('/orders/none')).status).toBe(404)
})

it('shows the whole record in pages, each look with its row of the audit', async () => {
  for (const [path, route] of [
    [`/members/${member.account}/orders?limit=1`, backOfficeRoutes.members.orders],
    [`/members/${member.account}/ledger?limit=1`, backOfficeRoutes.members.ledger],
    [`/members/${member.account}/fund`, backOfficeRoutes.members.fund],
    [`/members/${member.account}/sessions`, backOfficeRoutes.members.sessions],
  ] as const) {
    const before = Number((await database.pool.query('SELECT count(*) AS n FROM audit')).rows[0].n)
    const { status, body } = await clerk.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(route.answer.parse(body)).toEqual(body)
    expect(Number((await database.pool.query('SELECT count(*) AS n FROM audit')).rows[0].n)).toBe(before + 1)
    expect(await newestAct()).toMatchObject({ act: 'view', member_id: member.id })
  }
  const deposits = await clerk.get<{ items: object[] }>(`/deposits?memberId=${member.account}`)
  expect(deposits.body.items).toHaveLength(1)
  expect(
    (await clerk.get<{ items: object[] }>(`/verifications?memberId=${member.id}`)).body.items,
  ).toHaveLength(1)
  expect((await clerk.get('/deposits?memberId=nobody')).status).toBe(404)
})

it('shows the payee beside the verified name', async () => {
  const placed = await member.post<{ id: string }>('/withdrawals', { amount: '10.00', transactionPassword })
  const { body } = await clerk.get(`/withdrawals/${placed.body.id}`)
  expect(body).toMatchObject({ verifiedName: '王小明', nameMatches: bankAccount.accountName === '王小明' })
  expect(backOfficeRoutes.withdrawals.show.answer.parse(body)).toEqual(body)
})

it('ends all sessions of a member at once', async () => {
  await venue.openSession(member.id)
  expect((await clerk.post(`/members/${member.account}/end-sessions`)).body).toEqual({ ended: 2 })
  expect((await member.get('/me')).status).toBe(401)
})

it('takes a verification back: the member gets the reason and may submit again', async () => {
  const other = await venue.registerMember()
  await venue.submitVerification(other)
  expect((await clerk.post(`/verifications/${other.id}/revoke`, { reason: 'No' })).code).toBe('CONFLICT')
  await clerk.post(`/verifications/${other.id}/approve`)
  const revoked = await clerk.post(`/verifications/${other.id}/revoke`, { reason: 'Forged' })
  expect(revoked.body).toMatchObject({ status: 'rejected', reason: 'Forged', decidedBy: clerk.staff.name })
  expect((await other.get('/verification')).body).toMatchObject({ status: 'rejected', reason: 'Forged' })
  await venue.submitVerification(other)
  expect((await other.get('/verification')).body).toMatchObject({ status: 'under_review' })
})

it('rows of builds without the index are found after a start', async () => {
  await database.pool.query('DELETE FROM sealed_index')
  expect(await find('王小明')).toEqual([])
  await venue.lead()
  expect((await find('王小明')).map(({ memberId }) => memberId)).toContain(member.id)
  expect((await find(bankAccount.cardNumber)).map(({ memberId }) => memberId)).toEqual([member.id])
})
