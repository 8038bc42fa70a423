import { beforeAll, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { Found } from '../../../../contract/office/memberRecord.ts'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { bankAccount } from '../../../support/payments.ts'
import { createStaff, openAndApprove, type StaffClient } from '../../../support/staffClient.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

let member: MemberClient & { account: string; phone: string }
let clerk: StaffClient
const venue = await withVenue({ ticking: true })
const { database } = venue
beforeAll(async () => {
  member = await venue.registerMember()
  await venue.registerMember()
  clerk = await createStaff(venue, 'compliance')
  await venue.submitVerification(member)
  await openAndApprove(clerk, `/verifications/${member.id}`)
  await member.send('POST', '/withdrawal-account', bankAccount)
})

const find = async (text: string) => {
  const { body } = await clerk.post<{ items: Found[] }>('/search', { q: text })
  expect(officeRoutes.search.find.answer.parse(body)).toEqual(body)
  return body.items
}
const newestAct = async () =>
  (await database.pool.query('SELECT actor, act, member_id, details FROM audit ORDER BY id DESC LIMIT 1'))
    .rows[0]

it.each([
  ['the beginning of the account', () => member.account.slice(0, 5).toUpperCase(), 'account'],
  ['the phone', () => member.phone, 'phone'],
  ['a part of the account', () => member.account.slice(1, 6), 'account'],
  ['the verified name', () => ' 王小明 ', 'name'],
  ['the beginning of the verified name', () => '王小', 'name'],
  ['the verified name without its first part', () => '小明', 'name'],
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
    name: '王小明',
    status: 'verified',
    waiting: [],
    by,
  })
  const act = await newestAct()
  expect(act).toMatchObject({ actor: clerk.staff.name, act: 'search' })
  expect(JSON.stringify(act)).not.toContain(text().trim())
})

it('finds nothing by a part of an ID or a phone, or by one syllable, and nothing twice', async () => {
  for (const part of ['王', '1101011990', member.phone.slice(0, -1), bankAccount.cardNumber.slice(0, 8)])
    expect(await find(part)).toEqual([])
  expect(await find(member.id)).toHaveLength(1)
})

it('shows what of a member waits in the queues of the role, and the state of the account', async () => {
  const other = await venue.registerMember()
  await venue.submitVerification(other)
  const [hit] = await find(other.account)
  expect(hit).toMatchObject({
    status: 'under_review',
    name: null,
    waiting: [{ queue: 'verifications', no: null }],
  })
  const [waits] = hit!.waiting
  expect((await clerk.get(`/verifications/${waits!.id}`)).body).toMatchObject({ memberId: other.id })
  const fay = await createStaff(venue, 'finance')
  const { body } = await fay.post<{ items: Found[] }>('/search', { q: other.account })
  expect(body.items).toMatchObject([{ status: 'under_review', waiting: [] }])
  await clerk.post(`/verifications/${other.id}/reject`, { reason: 'Blurred' })
  expect(await find(other.account)).toMatchObject([{ status: 'rejected', waiting: [] }])
})

it('names nobody if many members are found', async () => {
  for (let i = 0; i < 6; i += 1) await venue.createMember()
  const found = (await find('m')).filter(({ kind }) => kind === 'member')
  expect(found.length).toBeGreaterThan(5)
  expect(found.map(({ name }) => name)).toEqual(found.map(() => null))
  expect(JSON.parse(String((await newestAct())?.['details']))).toMatchObject({ named: 0 })
})

it('finds requests and orders by number, and shows an order with its proof', async () => {
  const { no } = (await member.post<Deposit>('/deposits', { methodId: 'practice', amount: '10.00' })).body
  for (const part of [no.toLowerCase(), no.slice(-5), no.slice(2, 8)])
    expect(await find(part)).toMatchObject([
      { kind: 'deposit', no, memberId: member.id, status: 'successful', by: 'number' },
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
  expect(officeRoutes.orders.show.answer.parse(shown.body)).toEqual(shown.body)
  const proof = await clerk.get(`/orders/${placed.body.id}/proof`)
  const own = await member.get(`/orders/${placed.body.id}/proof`)
  // The receipt is between the venue and the member.
  const { receipt, ...shared } = own.body as Record<string, unknown>
  expect(receipt).toMatch(/^uptick-order/)
  expect({ ...proof.body, watermarkAt: 0 }).toEqual({ ...shared, receipt: null, watermarkAt: 0 })
  expect((await clerk.get('/orders/none')).status).toBe(404)
})

it('shows the whole record in pages, each look with its row of the act log', async () => {
  for (const [path, route] of [
    [`/members/${member.account}/orders?limit=1`, officeRoutes.members.orders],
    [`/members/${member.account}/ledger?limit=1`, officeRoutes.members.ledger],
    [`/members/${member.account}/fund`, officeRoutes.members.fund],
    [`/members/${member.account}/sessions`, officeRoutes.members.sessions],
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
  expect(officeRoutes.withdrawals.show.answer.parse(body)).toEqual(body)
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
  await openAndApprove(clerk, `/verifications/${other.id}`)
  const revoked = await clerk.post(`/verifications/${other.id}/revoke`, { reason: 'Forged' })
  expect(revoked.body).toMatchObject({ status: 'rejected', reason: 'Forged', decidedBy: clerk.staff.name })
  expect((await other.get('/verification')).body).toMatchObject({ status: 'rejected', reason: 'Forged' })
  await venue.submitVerification(other)
  expect((await other.get('/verification')).body).toMatchObject({ status: 'under_review' })
})

it.each([
  ['110101199003074610', 'digits'],
  ['+86 139 0000 0000', 'phone'],
  ['Ann Lee', 'words'],
  ['S1234567', 'mixed'],
  ['D-260105-7K2M9Q4X', 'number'],
  ['1b4e28ba-2fa1-4d2b-883f-0016d3cca427', 'id'],
])('records that a search was for something like %s, without it', async (text, typed) => {
  const details = async (q: string) => {
    await clerk.post('/search', { q })
    const act = await newestAct()
    return JSON.parse(String(act?.['details'])) as { typed: string; hash: string }
  }
  const first = await details(text)
  expect(first).toMatchObject({ typed, hash: expect.stringMatching(/^[\w-]{16}$/) as string })
  expect(JSON.stringify(first)).not.toContain(text)
  // In another spelling it is the same search; another text is another one.
  expect((await details(text.toUpperCase())).hash).toBe(first.hash)
  expect((await details(`${text}x`)).hash).not.toBe(first.hash)
})
