import { beforeAll, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { ListedStaff } from '../../../../contract/office/staff.ts'
import type { Deposit } from '../../../../contract/deposits.ts'
import { hourMs } from '../../../../contract/time.ts'
import type { ListAnswer, MemberClient } from '../../../support/apiCalls.ts'
import { scrape } from '../../../support/metrics.ts'
import { createStaff, openOfficeCall, type StaffClient } from '../../../support/staffClient.ts'
import { photo } from '../../../support/uploads.ts'
import { withVenue } from '../../../support/withVenue.ts'

let ada: StaffClient
let admin: StaffClient
const members: MemberClient[] = []
const options = { live: true, asRoles: true, operatorConfig: { recordsPerHour: 3 } }
const venue = await withVenue(options)
const { database } = venue
beforeAll(async () => {
  ;[ada, admin] = [await createStaff(venue, 'finance', 'ada'), await createStaff(venue, 'admin', 'eva')]
  for (let i = 0; i < 5; i += 1) members.push(await venue.createMember())
})
const rows = async (act: string, kind: string): Promise<{ details: string; member_id: string | null }[]> =>
  (
    await database.pool.query<{ details: string; member_id: string | null }>(
      `SELECT details, member_id FROM audit WHERE actor = 'ada' AND act = $1 AND subject_kind = $2 ORDER BY id`,
      [act, kind],
    )
  ).rows
const idOf = (i: number): string => members[i]?.id ?? ''
const open = (i: number, tab = '/ledger') => ada.get(`/members/${idOf(i)}${tab}`)
const recordsOf = async (name: string) => {
  const { body } = await admin.get<ListAnswer<ListedStaff>>('/staff')
  expect(officeRoutes.staff.list.answer.parse(body)).toEqual(body)
  return body.items.find((row) => row.name === name)?.records
}

it('a page of the members and a deposit that is shown are rows of the act log', async () => {
  await ada.get('/members?limit=2')
  expect(await rows('view', 'members')).toMatchObject([
    { member_id: null, details: '{"isFirst":true,"limit":2,"shown":2}' },
  ])
  const { body } = await members[0]!.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '20.00' })
  expect((await ada.get(`/deposits/${body.no}`)).status).toBe(200)
  expect(await rows('view', 'deposit')).toMatchObject([{ member_id: idOf(0) }])
})

it('a list of requests is a row of the act log, one of a member’s requests a look at that member', async () => {
  const { items } = (await ada.get<ListAnswer<Deposit>>('/deposits?limit=2')).body
  expect((await ada.get(`/deposits?limit=2&memberId=${idOf(0)}`)).status).toBe(200)
  const details = '{"isFirst":true,"limit":2}'
  expect(await rows('view', 'deposits')).toEqual([
    { member_id: null, details: `${details.slice(0, -1)},"shown":${items.length}}` },
    { member_id: idOf(0), details },
  ])
})

it('one person opens so many members’ records in an hour without a claim, which those who supervise see', async () => {
  expect(await recordsOf('ada')).toEqual({ opened: 1, max: 3 })
  expect((await open(1)).status).toBe(200)
  expect((await open(2, '/orders')).status).toBe(200)
  // Those that are open count once.
  for (const tab of ['/ledger', '/fund', '/orders']) expect((await open(1, tab)).status).toBe(200)
  expect(await open(3)).toMatchObject({ status: 429, code: 'RECORDS_LIMIT', params: { max: 3 } })
  expect((await open(3, '/fund')).code).toBe('RECORDS_LIMIT')
  expect(await recordsOf('ada')).toEqual({ opened: 3, max: 3 })
  expect(await recordsOf('eva')).toEqual({ opened: 0, max: 3 })
  expect(await rows('look-limit', 'staff')).toMatchObject([{ details: '{"max":3}' }])
})

it('a claim on a request of the member opens the record beyond that', async () => {
  const { body } = await members[3]!.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '20.00' })
  expect((await ada.get(`/deposits/${body.id}`)).code).toBe('RECORDS_LIMIT')
  await ada.post('/queues/deposits/claim', { item: body.id })
  expect((await ada.get(`/deposits/${body.id}`)).status).toBe(200)
  expect((await open(3)).status).toBe(200)
  expect((await open(4)).code).toBe('RECORDS_LIMIT')
  expect((await ada.get(`/withdrawals?memberId=${idOf(4)}`)).code).toBe('RECORDS_LIMIT')
  expect((await rows('view', 'ledger')).at(-1)).toMatchObject({ details: '{"claimed":true}' })
  venue.clock.leap(hourMs)
  const bob = await createStaff(venue, 'finance', 'bob')
  expect((await bob.get(`/members/${idOf(4)}/fund`)).status).toBe(200)
  expect(await rows('look-limit', 'staff')).toHaveLength(1)
})

it('what one has proposed oneself is no work of one’s own: nobody claims it to open records beyond that', async () => {
  const fay = await createStaff(venue, 'support', 'fay')
  for (const { id } of members.slice(0, 3)) expect((await fay.get(`/members/${id}/fund`)).status).toBe(200)
  const last = idOf(4)
  const { body } = await fay.post<{ proposal: { id: string } }>(`/members/${last}/freeze`, {
    reason: 'theft_reported',
  })
  const claimed = await fay.post('/queues/proposals/claim', { item: body.proposal.id })
  expect(claimed).toMatchObject({ status: 403, code: 'SECOND_PERSON' })
  await fay.post(`/proposals/${body.proposal.id}/cancel`)
  expect((await fay.get(`/members/${last}/fund`)).code).toBe('RECORDS_LIMIT')
})

it('nobody finds out a phone by trying them, at any node: a person searches ten times as often as that in an hour', async () => {
  const gus = await createStaff(venue, 'support', 'gus')
  const { clock, secrets } = venue
  const node = await withVenue({ database, clock, secrets, ...options })
  const headers = { cookie: gus.cookie, 'x-csrf-token': gus.csrfToken }
  const elsewhere = (q: string) => openOfficeCall(node.app, 'POST', '/search', { body: { q }, headers })
  const tried = Array.from({ length: 20 }, (_, i) => [
    gus.post('/search', { q: `1380013${8000 + i}` }),
    elsewhere(`1380013${9000 + i}`),
  ])
  const ends = await Promise.all(tried.flat())
  await node.close()
  expect(ends.filter(({ status }) => status === 200)).toHaveLength(30)
  expect(await gus.post('/search', { q: 'anna' })).toMatchObject({
    code: 'RECORDS_LIMIT',
    params: { max: 30 },
  })
  const { rows: told } = await database.pool.query(
    `SELECT id FROM audit WHERE actor = 'gus' AND act = 'look-limit'`,
  )
  expect(told).toHaveLength(1)
  venue.clock.leap(hourMs)
  const hal = await createStaff(venue, 'support', 'hal')
  expect((await hal.post('/search', { q: 'anna' })).status).toBe(200)
})

it('counts what is opened at once', async () => {
  const cleo = await createStaff(venue, 'compliance', 'cleo')
  const ends = await Promise.all(members.map(({ id }) => cleo.get(`/members/${id}/fund`)))
  expect(ends.filter(({ status }) => status === 200)).toHaveLength(3)
})

it('the desk key is no person: what it opens alarms nobody', async () => {
  const before = await venue.actLog.countLooks()
  for (const { id } of members)
    await venue.actLog.look({ actor: 'desk', subject: { kind: 'ledger', id }, memberId: id })
  expect(await venue.actLog.countLooks()).toEqual(before)
  expect((await scrape(venue.app)).get('uptick_staff_records_opened')).toBe(3)
})

it('says which deposits have the same picture as proof', async () => {
  const [own, other] = [await venue.createMember(), await venue.createMember()]
  const picture = await photo()
  const place = async (member: MemberClient, data: Buffer) => {
    const proofUploadId = await venue.upload(member, 'deposit_proof', data)
    return (await member.post<Deposit>('/deposits', { methodId: 'bank-1', amount: '20.00', proofUploadId }))
      .body
  }
  const [first, second] = [await place(own, picture), await place(other, picture)]
  const third = await place(own, await photo(70))
  const dan = await createStaff(venue, 'finance')
  const shown = async (id: string) => {
    const { body } = await dan.get(`/deposits/${id}`)
    expect(officeRoutes.deposits.show.answer.parse(body)).toEqual(body)
    return body['sameProof']
  }
  const said = ({ id, no, createdAt }: Deposit, memberId: string) => ({
    id,
    no,
    memberId,
    account: expect.stringMatching(/\w/) as string,
    status: 'under_review',
    createdAt,
  })
  expect(await shown(second.id)).toEqual([said(first, own.id)])
  expect(await shown(first.id)).toEqual([said(second, other.id)])
  expect(await shown(third.id)).toEqual([])
})
