import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { QueueItem, QueueState } from '../../../contract/backOffice/queues.ts'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { minor } from '../../../contract/brand.ts'
import type { Deposit } from '../../../contract/deposits.ts'
import { minuteMs } from '../../../contract/time.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import type { ListAnswer, MemberClient } from '../../support/apiCalls.ts'
import { transactionPassword } from '../../support/testMembers.ts'
import { createStaff } from '../../support/staffClient.ts'
import type { StaffClient } from '../../support/staffClient.ts'
import { openTestVenue } from '../../support/testVenue.ts'
import type { TestVenue } from '../../support/testVenue.ts'

let database: Database
let venue: TestVenue
let member: MemberClient
let ada: StaffClient
let bo: StaffClient
beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openTestVenue(database, { live: true, asRoles: true })
  ;[ada, bo] = [await createStaff(venue, 'finance', 'ada'), await createStaff(venue, 'finance', 'bo')]
  member = await venue.createMember()
})
afterAll(async () => {
  await venue.close()
  await database.close()
})
beforeEach(async () => {
  // What the tests before left is decided, so that the queue is empty.
  for (const { id } of (await ada.get<ListAnswer<QueueItem>>('/queues/deposits?limit=100')).body.items)
    await venue.deposits.backOffice.reject(id, 'over', 'test')
  await database.pool.query('DELETE FROM queue_claim')
})

const placeDeposit = async (amount = '60.00') => {
  await venue.clock.advance(1000)
  return (await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount })).body
}
const stateOf = async (client: StaffClient, queue: string) => {
  await venue.clock.advance(2000)
  const { body } = await client.get<{ items: QueueState[] }>('/queues')
  expect(backOfficeRoutes.queues.list.answer.parse(body)).toEqual(body)
  return body.items.find((item) => item.queue === queue)
}

it('counts what waits, its age and who works on it, for the queues of the role', async () => {
  const first = await placeDeposit()
  await placeDeposit()
  await ada.post('/queues/deposits/claim', { item: first.id })
  const own = { queue: 'deposits', waiting: 2, oldestAt: first.createdAt, claimed: 1 }
  expect(await stateOf(ada, 'deposits')).toEqual({ ...own, mine: 1 })
  expect(await stateOf(bo, 'deposits')).toEqual({ ...own, mine: 0 })
  const names = async (client: StaffClient) =>
    (await client.get<{ items: QueueState[] }>('/queues')).body.items.map(({ queue }) => queue)
  expect(await names(ada)).toEqual(['deposits', 'withdrawals', 'payments', 'proposals'])
  expect(await names(await createStaff(venue, 'support'))).toEqual([
    'password-requests',
    'service',
    'proposals',
  ])
  expect(await names(await createStaff(venue, 'content'))).toEqual([])
  expect((await ada.get('/queues/verifications')).code).toBe('FORBIDDEN')
})

it('lists the oldest first, by page, with account and amount and nothing that is sealed', async () => {
  const placed = [await placeDeposit('61.00'), await placeDeposit('62.00'), await placeDeposit('63.00')]
  const page = await ada.get<ListAnswer<QueueItem>>('/queues/deposits?limit=2')
  expect(page.body.items.map(({ amount }) => amount)).toEqual(['61.00', '62.00'])
  expect(page.body.items[0]).toMatchObject({
    id: placed[0]!.id,
    no: placed[0]!.no,
    memberId: member.id,
    claim: null,
  })
  const rest = await ada.get<ListAnswer<QueueItem>>(`/queues/deposits?limit=2&cursor=${page.body.nextCursor}`)
  expect(rest.body.items.map(({ amount }) => amount)).toEqual(['63.00'])
  expect(rest.body.nextCursor).toBeNull()
})

it('a claimed item is decided by its holder only, until the claim is over or given up', async () => {
  const { id } = await placeDeposit()
  const claimed = await ada.post<{ claim: { by: string; until: number } }>('/queues/deposits/claim', {
    item: id,
  })
  expect(claimed.body.claim).toEqual({ by: 'ada', until: venue.clock.now() + 10 * minuteMs })
  const others = await bo.post('/queues/deposits/claim', { item: id })
  expect(others).toMatchObject({ status: 409, code: 'CLAIMED', params: { by: 'ada' } })
  expect(await bo.post(`/deposits/${id}/approve`)).toMatchObject({ status: 409, code: 'CLAIMED' })
  expect((await bo.post('/queues/deposits/release', { item: id })).body).toEqual({ released: false })
  expect((await ada.post('/queues/deposits/release', { item: id })).body).toEqual({ released: true })
  expect((await bo.post('/queues/deposits/claim', { item: id })).status).toBe(200)
  expect((await ada.post(`/deposits/${id}/approve`)).code).toBe('CLAIMED')
  await database.pool.query(`UPDATE queue_claim SET until_at = ${venue.clock.now()}`)
  expect((await ada.post(`/deposits/${id}/approve`)).status).toBe(200)
  expect((await ada.post('/queues/deposits/claim', { item: id })).code).toBe('NOT_FOUND')
})

it('next hands each item to one person, the oldest first', async () => {
  const placed = [await placeDeposit(), await placeDeposit(), await placeDeposit()]
  const takers = [ada, bo, ada, bo]
  const taken = await Promise.all(
    takers.map((client) => client.post<{ item: QueueItem | null }>('/queues/deposits/next')),
  )
  const ids = taken.flatMap(({ body }) => body.item?.id ?? [])
  expect(ids.toSorted()).toEqual(placed.map(({ id }) => id).toSorted())
  expect(taken.filter(({ body }) => body.item === null)).toHaveLength(1)
})

it('a thread waits while the member’s words are unread', async () => {
  const support = await createStaff(venue, 'support')
  await member.send('POST', '/service/messages', { body: 'Hello' })
  expect(await stateOf(support, 'service')).toMatchObject({ waiting: 1 })
  const { body } = await support.get<ListAnswer<QueueItem>>('/queues/service')
  expect(body.items).toMatchObject([{ id: member.id, memberId: member.id, amount: null }])
  await support.post(`/service/${member.id}`, { body: 'Good day' })
  expect(await stateOf(support, 'service')).toMatchObject({ waiting: 0, oldestAt: null })
})

it('shows proposals to the roles that decide them, and hands nobody an own one', async () => {
  const [guard, support] = [await createStaff(venue, 'compliance'), await createStaff(venue, 'support')]
  const { body } = await guard.post<{ proposal: { id: string } }>(`/members/${member.id}/freeze`, {
    reason: 'theft_reported',
  })
  const item = body.proposal.id
  const listed = async (client: StaffClient) =>
    (await client.get<ListAnswer<QueueItem>>('/queues/proposals')).body.items
  expect(await listed(ada)).toEqual([])
  expect(await stateOf(ada, 'proposals')).toMatchObject({ waiting: 0, oldestAt: null })
  expect((await ada.post('/queues/proposals/next')).body).toEqual({ item: null })
  expect((await ada.post('/queues/proposals/claim', { item })).code).toBe('NOT_FOUND')

  expect(await listed(guard)).toMatchObject([{ id: item, act: 'members.freeze' }])
  expect(await stateOf(guard, 'proposals')).toMatchObject({ waiting: 0 })
  expect((await guard.post('/queues/proposals/next')).body).toEqual({ item: null })
  expect(await stateOf(support, 'proposals')).toMatchObject({ waiting: 1 })
  const next = await support.post<{ item: QueueItem }>('/queues/proposals/next')
  expect(next.body.item).toMatchObject({ id: item, act: 'members.freeze', memberId: member.id })
})

it('shows who proposed what waits for a second person, who is not handed it', async () => {
  const payee = await venue.createVerifiedMember(minor(500_000))
  const asked = { amount: '1500.00', transactionPassword }
  const { id } = (await payee.post<{ id: string }>('/withdrawals', asked)).body
  const listed = async (client: StaffClient, queue: string) =>
    (await client.get<ListAnswer<QueueItem>>(`/queues/${queue}`)).body.items
  const shown = async () => {
    const { body } = await bo.get(`/withdrawals/${id}`)
    expect(backOfficeRoutes.withdrawals.show.answer.parse(body)).toEqual(body)
    return body['proposal']
  }
  expect(await listed(bo, 'withdrawals')).toMatchObject([{ id, proposedBy: null, proposedAt: null }])
  expect(await shown()).toBeNull()
  expect(await stateOf(ada, 'withdrawals')).toMatchObject({ waiting: 1 })

  await ada.post(`/withdrawals/${id}/approve`)
  const proposed = { proposedBy: 'ada', proposedAt: venue.clock.now() }
  for (const client of [ada, bo]) {
    const items = await listed(client, 'withdrawals')
    expect(backOfficeRoutes.queues.show.answer.shape.items.parse(items)).toEqual(items)
    expect(items).toMatchObject([{ id, act: null, ...proposed }])
    expect(await listed(client, 'proposals')).toMatchObject([{ act: 'withdrawals.approve', ...proposed }])
  }
  expect(await shown()).toMatchObject({ act: 'withdrawals.approve', status: 'open', ...proposed })
  expect(await stateOf(ada, 'withdrawals')).toMatchObject({ waiting: 0 })
  expect((await ada.post('/queues/withdrawals/next')).body).toEqual({ item: null })
  expect(await stateOf(bo, 'withdrawals')).toMatchObject({ waiting: 1 })
  expect((await bo.post<{ item: QueueItem }>('/queues/withdrawals/next')).body.item).toMatchObject({ id })

  await bo.post(`/withdrawals/${id}/approve`)
  expect(await listed(bo, 'withdrawals')).toEqual([])
  expect(await listed(bo, 'payments')).toMatchObject([{ id, proposedBy: null }])
  expect(await shown()).toBeNull()
})

it('shows who proposed a new password and a change of the staff', async () => {
  const [sue, tom] = [await createStaff(venue, 'support'), await createStaff(venue, 'compliance')]
  const own = await venue.createMember()
  const request = await own.send<{ id: string }>('POST', '/auth/password-requests', {
    kind: 'transaction',
    oldPassword: transactionPassword,
    newPassword: '730518',
    confirmPassword: '730518',
  })
  const { id } = request.body
  await sue.post(`/password-requests/${id}/approve`)
  const proposed = { proposedBy: sue.staff.name, proposedAt: venue.clock.now() }
  const { body } = await tom.get<ListAnswer<QueueItem>>('/queues/password-requests')
  expect(body.items).toMatchObject([{ id, ...proposed }])
  expect((await tom.get(`/password-requests/${id}`)).body).toMatchObject({ proposal: proposed })

  const [eva, flo] = [await createStaff(venue, 'admin'), await createStaff(venue, 'admin')]
  await eva.post(`/staff/${sue.staff.id}/role`, { role: 'finance' })
  expect((await flo.get<ListAnswer<QueueItem>>('/queues/proposals')).body.items).toMatchObject([
    { act: 'staff.role', proposedBy: eva.staff.name, proposedAt: venue.clock.now() },
  ])
})
