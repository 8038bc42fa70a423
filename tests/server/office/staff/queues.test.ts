import { beforeAll, beforeEach, expect, it } from 'vitest'
import {
  queueNames,
  type DecidedItem,
  type QueueItem,
  type QueueState,
} from '../../../../contract/office/queues.ts'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import { minor } from '../../../../contract/units.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import type { Deposit } from '../../../../contract/deposits.ts'
import { minuteMs } from '../../../../contract/time.ts'
import { listDecided } from '../../../../server/office/calls/decidedItems.ts'
import { call, type ListAnswer, type MemberClient } from '../../../support/apiCalls.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { createStaff, openAndApprove, type StaffClient } from '../../../support/staffClient.ts'
import { withVenue } from '../../../support/withVenue.ts'

let member: MemberClient
let ada: StaffClient
let bo: StaffClient
let ida: StaffClient
const venue = await withVenue({ live: true, asRoles: true })
beforeAll(async () => {
  ;[ada, bo] = [await createStaff(venue, 'finance', 'ada'), await createStaff(venue, 'finance', 'bo')]
  ida = await createStaff(venue, 'finance', 'ida')
  member = await venue.createMember()
})
beforeEach(async () => {
  // What the tests before left is decided, so that the queue is empty.
  for (const { id } of (await ada.get<ListAnswer<QueueItem>>('/queues/deposits?limit=100')).body.items)
    await venue.deposits.office.reject(id, 'over', 'test')
  await venue.database.pool.query('DELETE FROM queue_claim')
})

const placeDeposit = async (amount = '60.00', who = member) => {
  await venue.clock.advance(1000)
  return (await who.post<Deposit>('/deposits', { methodId: 'bank-1', amount })).body
}
const stateOf = async (client: StaffClient, queue: string) => {
  await venue.clock.advance(2000)
  const { body } = await client.get<{ items: QueueState[] }>('/queues')
  expect(officeRoutes.queues.list.answer.parse(body)).toEqual(body)
  return body.items.find((item) => item.queue === queue)
}

it('counts what waits, its age and who works on it, for the queues of the role', async () => {
  const first = await placeDeposit()
  await placeDeposit()
  await ada.post('/queues/deposits/claim', { item: first.id })
  const own = { queue: 'deposits', waiting: 2, oldestAt: first.createdAt, claimed: 1 }
  const holders = [{ by: 'ada', claimed: 1 }]
  expect(await stateOf(ada, 'deposits')).toEqual({ ...own, mine: 1, holders })
  expect(await stateOf(bo, 'deposits')).toEqual({ ...own, mine: 0, holders })
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

it('lists the oldest of a member first, by page, with account and amount and nothing that is sealed', async () => {
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

it('lists members in turn, so that one who asks often hides nobody', async () => {
  const many = [await placeDeposit('61.00'), await placeDeposit('62.00'), await placeDeposit('63.00')]
  const other = await venue.createMember()
  await venue.clock.advance(1000)
  const one = (await other.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '64.00' })).body
  const expected = [many[0], one, many[1], many[2]].map((deposit) => deposit!.id)
  const listed: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page: { body: ListAnswer<QueueItem> } = await ada.get(`/queues/deposits?limit=1${after}`)
    listed.push(...page.body.items.map(({ id }) => id))
    cursor = page.body.nextCursor
  }
  expect(listed).toEqual(expected)
  const wrong = Buffer.from('[1,"x"]').toString('base64url')
  expect((await ada.get(`/queues/deposits?cursor=${wrong}`)).status).toBe(400)
  const next = async () => (await ada.post<{ item: QueueItem }>('/queues/deposits/next')).body.item.id
  expect([await next(), await next()]).toEqual(expected.slice(0, 2))
})

it('lets one person hold ten items that wait at a time', async () => {
  const items: string[] = []
  for (let i = 0; i < 11; i += 1) {
    const own = await venue.createMember()
    items.push((await own.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '60.00' })).body.id)
  }
  const claim = (item: string | undefined) => ada.post('/queues/deposits/claim', { item })
  const ends = await Promise.all(items.map(claim))
  expect(ends.filter(({ status }) => status === 200)).toHaveLength(10)
  const refused = items.find((_, i) => ends[i]?.status !== 200)
  expect(await claim(refused)).toMatchObject({ status: 409, code: 'CLAIMS_LIMIT', params: { max: 10 } })
  expect((await ada.post('/queues/deposits/next')).code).toBe('CLAIMS_LIMIT')
  // A claim of one's own is prolonged, and one that is decided counts no longer.
  const held = items.find((item) => item !== refused)
  expect((await claim(held)).status).toBe(200)
  await ada.post(`/deposits/${held}/reject`, { reason: 'Nothing came' })
  expect((await claim(refused)).status).toBe(200)
  expect((await bo.post('/queues/deposits/next')).status).toBe(200)
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
  await venue.database.pool.query(`UPDATE queue_claim SET until_at = ${venue.clock.now()}`)
  expect((await ada.post(`/deposits/${id}/reject`, { reason: 'Nothing came' })).status).toBe(200)
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

it('shows one item wherever it stands, with its claim, and nothing once it waits no more', async () => {
  const other = await venue.createMember()
  const placed = [
    await placeDeposit('61.00', other),
    await placeDeposit('62.00', other),
    await placeDeposit('63.00', other),
  ]
  const { id } = placed[2]!
  await ada.post('/queues/deposits/claim', { item: id })
  const show = async (item: string) =>
    (await bo.get<ListAnswer<QueueItem> & { total: number }>(`/queues/deposits?limit=1&item=${item}`)).body
  expect(await show(id)).toMatchObject({
    items: [{ id, amount: '63.00', claim: { by: 'ada' } }],
    nextCursor: null,
    total: 1,
  })
  await venue.deposits.office.reject(id, 'over', 'test')
  for (const item of [id, 'none']) expect(await show(item)).toEqual({ items: [], nextCursor: null, total: 0 })
  expect((await ada.get('/queues/deposits?item=')).status).toBe(400)
})

it('next takes of some only, in the order asked for', async () => {
  const other = await venue.createMember()
  const placed = [
    await placeDeposit('61.00', other),
    await placeDeposit('63.00', other),
    await placeDeposit('62.00', other),
  ]
  const next = async (query: string) =>
    (await ada.post<{ item: QueueItem | null }>(`/queues/deposits/next?${query}`)).body.item?.id
  expect(await next('from=64.00')).toBeUndefined()
  expect(await next('picture=with')).toBeUndefined()
  expect(await next('order=largest')).toBe(placed[1]?.id)
  expect(await next('order=newest&from=62.00')).toBe(placed[2]?.id)
  expect(await next('from=62.00')).toBeUndefined()
  expect(await next('')).toBe(placed[0]?.id)
  expect((await ada.post('/queues/deposits/next?limit=1')).status).toBe(400)
})

it('a thread that was closed without a reply is put back, one that was answered is not', async () => {
  const support = await createStaff(venue, 'support')
  const other = await venue.createMember()
  const write = (body: string) => other.send('POST', '/service/messages', { body })
  const post = (verb: string) => support.post(`/service/${other.id}/${verb}`)
  const unread = async () =>
    (await support.get<ListAnswer<QueueItem>>(`/queues/service?item=${other.id}`)).body.items[0]?.unread
  await write('An older question')
  await support.post(`/service/${other.id}`, { body: 'An answer' })
  await write('Thank')
  await write('you')
  expect(await post('reopen')).toMatchObject({ status: 409, code: 'CONFLICT' })
  await venue.clock.advance(1000)
  await post('done')
  expect(await unread()).toBeUndefined()
  expect((await post('reopen')).body).toEqual({ unread: 2 })
  expect(await unread()).toBe(2)
  const { rows } = await venue.database.pool.query(
    "SELECT act FROM audit WHERE member_id = $1 AND subject_kind = 'service_thread' AND act IN ('done', 'reopen') ORDER BY id",
    [other.id],
  )
  expect(rows).toEqual([{ act: 'done' }, { act: 'reopen' }])
  await venue.clock.advance(1000)
  await support.post(`/service/${other.id}`, { body: 'You are welcome' })
  expect((await post('reopen')).code).toBe('CONFLICT')
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
    expect(officeRoutes.withdrawals.show.answer.parse(body)).toEqual(body)
    return body['proposal']
  }
  expect(await listed(bo, 'withdrawals')).toMatchObject([{ id, proposedBy: null, proposedAt: null }])
  expect(await shown()).toBeNull()
  expect(await stateOf(ada, 'withdrawals')).toMatchObject({ waiting: 1 })

  await openAndApprove(ada, `/withdrawals/${id}`)
  const proposed = { proposedBy: 'ada', proposedAt: venue.clock.now() }
  for (const client of [ada, bo]) {
    const items = await listed(client, 'withdrawals')
    expect(officeRoutes.queues.show.answer.shape.items.parse(items)).toEqual(items)
    expect(items).toMatchObject([{ id, act: null, ...proposed }])
    expect(await listed(client, 'proposals')).toMatchObject([
      { act: 'withdrawals.approve', no: expect.stringMatching(/^W-/) as string, ...proposed },
    ])
  }
  expect(await shown()).toMatchObject({ act: 'withdrawals.approve', status: 'open', ...proposed })
  expect(await stateOf(ada, 'withdrawals')).toMatchObject({ waiting: 0 })
  expect((await ada.post('/queues/withdrawals/next')).body).toEqual({ item: null })
  // Nor does the first person keep it from the second.
  expect((await ada.post('/queues/withdrawals/claim', { item: id })).code).toBe('SECOND_PERSON')
  expect(await stateOf(bo, 'withdrawals')).toMatchObject({ waiting: 1 })
  expect((await bo.post<{ item: QueueItem }>('/queues/withdrawals/next')).body.item).toMatchObject({ id })

  await bo.post(`/withdrawals/${id}/approve`)
  expect(await listed(bo, 'withdrawals')).toEqual([])
  expect(await listed(bo, 'payments')).toMatchObject([{ id, proposedBy: null }])
  expect(await shown()).toBeNull()
})

it('a request and its open proposal are one piece of work: who claims one holds both', async () => {
  const cleo = await createStaff(venue, 'finance', 'cleo')
  const payee = await venue.createVerifiedMember(minor(500_000))
  const asked = { amount: '1500.00', transactionPassword }
  const { id } = (await payee.post<{ id: string }>('/withdrawals', asked)).body
  const { body } = await openAndApprove<{ proposal: { id: string } }>(ada, `/withdrawals/${id}`)
  const proposal = body.proposal.id
  const claim = (who: StaffClient, queue: string, item: string) =>
    who.post(`/queues/${queue}/claim`, { item })
  const holders = async () => {
    const lists = ['withdrawals', 'proposals'].map((queue) =>
      cleo.get<ListAnswer<QueueItem>>(`/queues/${queue}`),
    )
    return (await Promise.all(lists)).flatMap((list) => list.body.items.map((item) => item.claim?.by))
  }

  expect((await claim(bo, 'proposals', proposal)).status).toBe(200)
  expect(await holders()).toEqual(['bo', 'bo'])
  expect((await claim(cleo, 'withdrawals', id)).code).toBe('CLAIMED')
  expect((await cleo.post('/queues/withdrawals/next')).body).toEqual({ item: null })
  for (const decision of [`withdrawals/${id}/approve`, `proposals/${proposal}/confirm`])
    expect((await cleo.post(`/${decision}`)).code).toBe('CLAIMED')
  expect((await cleo.post(`/withdrawals/${id}/reject`, { reason: 'No' })).code).toBe('CLAIMED')

  await bo.post('/queues/proposals/release', { item: proposal })
  expect((await claim(cleo, 'withdrawals', id)).status).toBe(200)
  expect(await holders()).toEqual(['cleo', 'cleo'])
  expect((await claim(bo, 'proposals', proposal)).code).toBe('CLAIMED')
  expect((await bo.post(`/proposals/${proposal}/decline`, { reason: 'No' })).code).toBe('CLAIMED')
  expect((await claim(cleo, 'proposals', proposal)).status).toBe(200)
  await cleo.get(`/withdrawals/${id}`)
  expect((await cleo.post(`/proposals/${proposal}/confirm`)).status).toBe(200)
})

it('a row of a conversation has its newest words and how many are unread; done without a reply ends the wait', async () => {
  const [support, other] = [await createStaff(venue, 'support'), await createStaff(venue, 'compliance')]
  const writer = await venue.createMember()
  await writer.send('POST', '/service/messages', { body: 'Hello' })
  await writer.send('POST', '/service/messages', { body: `Thank you ${'!'.repeat(200)}` })
  const row = async () => {
    const { body } = await support.get<ListAnswer<QueueItem>>('/queues/service')
    return body.items.find(({ id }) => id === writer.id)
  }
  expect(await row()).toMatchObject({
    unread: 2,
    hasPicture: false,
    preview: expect.stringMatching(/^Thank you !{110}$/) as string,
  })
  const looks = async () =>
    (
      await venue.database.pool.query(
        `SELECT FROM audit WHERE actor = '${support.staff.name}' AND subject_kind = 'service_threads'`,
      )
    ).rowCount
  expect(await looks()).toBe(1)
  await row()
  expect(await looks()).toBe(1)
  await venue.clock.advance(10 * minuteMs)
  await row()
  expect(await looks()).toBe(2)

  const done = `/service/${writer.id}/done`
  await other.post('/queues/service/claim', { item: writer.id })
  expect((await support.post(done)).code).toBe('CLAIMED')
  await other.post('/queues/service/release', { item: writer.id })
  expect(await support.post(done)).toMatchObject({ status: 200, body: { read: 2 } })
  expect(await row()).toBeUndefined()
  expect((await support.post(done)).code).toBe('CONFLICT')
  const thread = await support.get(`/service/${writer.id}`)
  expect(officeRoutes.service.show.answer.parse(thread.body)).toEqual(thread.body)
  const { rows } = await venue.database.pool.query('SELECT account FROM member WHERE id = $1', [writer.id])
  expect(thread.body).toMatchObject({ member: { ...rows[0], language: null } })
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
  await sue.post('/queues/password-requests/claim', { item: id })
  await openAndApprove(sue, `/password-requests/${id}`)
  const proposed = { proposedBy: sue.staff.name, proposedAt: venue.clock.now() }
  const { body } = await tom.get<ListAnswer<QueueItem>>('/queues/password-requests')
  expect(body.items).toMatchObject([{ id, claim: null, ...proposed }])
  expect((await tom.get(`/password-requests/${id}`)).body).toMatchObject({ proposal: proposed })

  const [eva, flo] = [await createStaff(venue, 'admin'), await createStaff(venue, 'admin')]
  await eva.post(`/staff/${sue.staff.id}/role`, { role: 'finance' })
  expect((await flo.get<ListAnswer<QueueItem>>('/queues/proposals')).body.items).toMatchObject([
    { act: 'staff.role', proposedBy: eva.staff.name, proposedAt: venue.clock.now() },
  ])
})

it('says in which language the member last opened the app, also after it was changed', async () => {
  const reader = await venue.createMember()
  const { body } = await reader.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '60.00' })
  const language = async () => {
    const { items } = (await ada.get<ListAnswer<QueueItem>>('/queues/deposits?limit=100')).body
    return items.find(({ id }) => id === body.id)?.language
  }
  expect(await language()).toBeNull()
  for (const chosen of ['de', 'th'] as const) {
    const cookie = `sid=${reader.sid}; language=${chosen}`
    expect((await call(venue.app, 'GET', '/me', { headers: { cookie } })).status).toBe(200)
    expect(await language()).toBe(chosen)
  }
})

it('lists the own claims first, and the rest by age or amount from an amount on', async () => {
  for (const amount of ['62.00', '64.00', '61.00', '63.00']) await placeDeposit(amount)
  const listed = async (client: StaffClient, query: string) => {
    const amounts: (string | null)[] = []
    for (let cursor = ''; ;) {
      const { body } = await client.get<ListAnswer<QueueItem>>(`/queues/deposits?limit=2&${query}${cursor}`)
      amounts.push(...body.items.map(({ amount }) => amount && amount.slice(0, 2)))
      if (body.nextCursor === null) return amounts.join(' ')
      cursor = `&cursor=${body.nextCursor}`
    }
  }
  const { body } = await ada.get<ListAnswer<QueueItem>>('/queues/deposits?order=largest&limit=2')
  await ada.post('/queues/deposits/claim', { item: body.items[1]?.id })
  expect(await listed(ada, '')).toBe('63 62 64 61')
  expect(await listed(bo, '')).toBe('62 64 61 63')
  expect(await listed(bo, 'order=newest')).toBe('63 61 64 62')
  expect(await listed(bo, 'order=largest')).toBe('64 63 62 61')
  expect(await listed(ada, 'order=smallest')).toBe('63 61 62 64')
  expect(await listed(bo, 'order=oldest&from=62.50')).toBe('64 63')
  expect(await listed(bo, 'waited=1')).toBe('')
  await venue.clock.advance(minuteMs)
  expect(await listed(bo, 'waited=1')).toBe('62 64 61 63')
  expect((await bo.get('/queues/deposits?from=many')).status).toBe(400)
})

it('counts what is shown over all pages, and shows a part: free, own, without proof, of a method or a language', async () => {
  const placed = [await placeDeposit('61.00'), await placeDeposit('62.00'), await placeDeposit('63.00')]
  await ada.post('/queues/deposits/claim', { item: placed[1]!.id })
  const shown = async (query: string) => {
    const { body } = await ada.get<ListAnswer<QueueItem> & { total: number }>(`/queues/deposits?${query}`)
    expect(officeRoutes.queues.show.answer.parse(body)).toEqual(body)
    return [body.total, ...body.items.map(({ amount }) => amount?.slice(0, 2))].join(' ')
  }
  expect(await shown('limit=2')).toBe('3 62 61')
  expect(await shown('show=free&limit=1')).toBe('2 61')
  expect(await shown('show=mine')).toBe('1 62')
  expect(await shown('show=second')).toBe('0')
  expect(await shown('picture=with')).toBe('0')
  expect(await shown('picture=without&method=bank-1')).toBe('3 62 61 63')
  expect(await shown('method=other')).toBe('0')
  expect(await shown('language=de')).toBe('0')
  const page = await ada.get<ListAnswer<QueueItem> & { total: number }>('/queues/deposits?limit=2')
  const rest = await ada.get<{ total?: number }>(`/queues/deposits?limit=2&cursor=${page.body.nextCursor}`)
  expect(rest.body.total).toBeUndefined()
})

it('next leaves out what was set aside, which stays in the queue for others', async () => {
  const placed = [await placeDeposit(), await placeDeposit(), await placeDeposit()]
  const [first, second, third] = placed.map(({ id }) => id)
  const next = async (except: readonly (string | undefined)[], who = ada) =>
    (await who.post<{ item: QueueItem | null }>(`/queues/deposits/next?except=${except.join(',')}`)).body.item
      ?.id
  expect(await next([first])).toBe(second)
  expect(await next([first, third])).toBeUndefined()
  expect(await next(['other'], bo)).toBe(first)
  expect((await ada.post(`/queues/deposits/next?except=${'x'.repeat(4000)}`)).status).toBe(400)
})

it('what one has decided today has each request once, and nothing that one took back', async () => {
  const who = await venue.createVerifiedMember(minor(500_000))
  const form = { amount: '1500.00', transactionPassword }
  const { id, no } = (await who.post<Withdrawal>('/withdrawals', form)).body
  const decided = async () => {
    const { body } = await ida.get<ListAnswer<DecidedItem> & { total: number }>('/queues/withdrawals/decided')
    expect(body.total).toBe(body.items.length)
    return body.items.map(({ no: own, act }) => [own, act])
  }
  const propose = async () => {
    const { body } = await openAndApprove<{ proposal: { id: string } }>(ida, `/withdrawals/${id}`)
    return body.proposal.id
  }
  for (let i = 0; i < 2; i += 1) {
    const proposal = await propose()
    expect(await decided()).toEqual([[no, 'propose']])
    await ida.post(`/proposals/${proposal}/cancel`)
    expect(await decided()).toEqual([])
  }
  await propose()
  await venue.clock.advance(1000)
  await ida.post(`/withdrawals/${id}/reject`, { reason: 'Not yours' })
  expect(await decided()).toEqual([[no, 'reject']])
})

it('lists what one has decided today by the venue’s clock, newest first, and nobody else’s', async () => {
  const path = '/queues/deposits/decided'
  type Decided = ListAnswer<DecidedItem> & { total: number }
  const before = (await ada.get<Decided>(path)).body.total
  const who = await venue.createMember()
  const [first, second] = [await placeDeposit('61.00', who), await placeDeposit('62.00', who)]
  await ada.post(`/deposits/${first.id}/reject`, { reason: 'Nothing came' })
  await venue.clock.advance(1000)
  await ada.post(`/deposits/${second.id}/reject`, { reason: 'Nothing came' })
  const { body } = await ada.get<Decided>(`${path}?limit=1`)
  expect(officeRoutes.queues.decided.answer.parse(body)).toEqual(body)
  expect(body.total).toBe(before + 2)
  expect(body.items).toEqual([
    {
      subject: { kind: 'deposit', id: second.id },
      act: 'reject',
      at: venue.clock.now(),
      no: second.no,
      account: expect.stringMatching(/./),
      amount: '62.00',
    },
  ])
  const rest = await ada.get<Decided>(`${path}?limit=1&cursor=${body.nextCursor}`)
  expect(rest.body.items.map(({ no }) => no)).toEqual([first.no])
  expect((await bo.get<Decided>(path)).body).toMatchObject({ items: [], total: 0 })
  expect((await ada.get('/queues/verifications/decided')).code).toBe('FORBIDDEN')
  const since = venue.clock.now()
  const totals = queueNames.map(async (queue) => {
    const { total } = await listDecided(venue.db, { limit: 5 }, { queue, actor: 'ada', since })
    return [queue, total]
  })
  expect(Object.fromEntries(await Promise.all(totals))).toEqual({
    ...Object.fromEntries(queueNames.map((queue) => [queue, 0])),
    deposits: 1,
  })
})
