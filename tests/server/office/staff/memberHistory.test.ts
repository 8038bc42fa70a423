import { beforeAll, expect, it } from 'vitest'
import type { MemberEvent, MemberNote } from '../../../../contract/office/memberHistory.ts'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { ListAnswer, MemberClient } from '../../../support/apiCalls.ts'
import { bankAccount } from '../../../support/payments.ts'
import { createStaff, openAndApprove, type StaffClient } from '../../../support/staffClient.ts'
import { loginPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

let member: MemberClient & { account: string; phone: string }
let ann: StaffClient
let fay: StaffClient
let sue: StaffClient
const venue = await withVenue({ asRoles: true })
const { database } = venue
beforeAll(async () => {
  member = await venue.registerMember()
  await venue.clock.advance(1000)
  ann = await createStaff(venue, 'compliance', 'ann')
  fay = await createStaff(venue, 'finance', 'fay')
  sue = await createStaff(venue, 'support', 'sue')
  await venue.submitVerification(member)
  await openAndApprove(ann, `/verifications/${member.id}`)
  await member.send('POST', '/withdrawal-account', bankAccount)
})

const newestAct = async () =>
  (
    await database.pool.query<{ details: string }>(
      'SELECT actor, act, subject_kind, member_id, details FROM audit ORDER BY id DESC LIMIT 1',
    )
  ).rows[0]

it('the record begins with the verified name', async () => {
  for (const client of [ann, fay, sue])
    expect((await client.get(`/members/${member.id}`)).body).toMatchObject({
      name: '王小明',
      openedWith: 'UPTICK',
    })
  const other = await venue.registerMember()
  expect((await sue.get(`/members/${other.id}`)).body).toMatchObject({ name: null })
})

it('shows ID and payee to the roles that work with them, each with its row of the act log', async () => {
  const path = `/members/${member.account}/identity`
  const whole = await ann.get(path)
  expect(officeRoutes.members.identity.answer.parse(whole.body)).toEqual(whole.body)
  expect(whole.body).toMatchObject({
    document: { number: '110101199003074610', nationality: 'CN' },
    payTo: { cardNumber: bankAccount.cardNumber },
  })
  expect(await newestAct()).toMatchObject({
    actor: 'ann',
    act: 'view',
    subject_kind: 'withdrawal-account',
    member_id: member.id,
  })
  const payee = await fay.get(path)
  expect(payee.body).toMatchObject({ document: null, payTo: { cardNumber: bankAccount.cardNumber } })
  expect((await sue.get(path)).code).toBe('FORBIDDEN')
  const other = await venue.registerMember()
  expect((await ann.get(`/members/${other.id}/identity`)).body).toEqual({ document: null, payTo: null })
})

it('lists what happened, newest first and page by page', async () => {
  await venue.clock.advance(1000)
  const { no } = (await member.post<Deposit>('/deposits', { methodId: 'practice', amount: '10.00' })).body
  await venue.clock.advance(1000)
  await member.send('PATCH', '/me', { contactEmail: 'wei@mail.test', password: loginPassword })
  await sue.post('/messages', { to: member.id, title: 'Your letter', body: 'Please send it' })
  const events: MemberEvent[] = []
  for (let cursor = ''; ;) {
    const { body } = await ann.get<ListAnswer<MemberEvent>>(
      `/members/${member.account}/timeline?limit=3${cursor}`,
    )
    expect(officeRoutes.members.timeline.answer.parse(body)).toEqual(body)
    events.push(...body.items)
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => b - a))
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  for (const expected of [
    { kind: 'opened' },
    { kind: 'deposit', no, amount: '10.00', status: 'successful' },
    { kind: 'verification', status: 'verified' },
    { kind: 'act', what: 'approve', by: 'ann', subject: { kind: 'verification', id: expect.any(String) } },
    { kind: 'act', what: 'message', by: 'sue' },
    { kind: 'notice', what: 'withdrawalAccountBound' },
    { kind: 'notice', what: 'contactAddressChanged' },
    { kind: 'notice', what: 'desk', title: 'Your letter' },
  ])
    expect(events).toContainEqual(expect.objectContaining(expected))
  expect(await newestAct()).toMatchObject({ act: 'view', subject_kind: 'timeline', member_id: member.id })
})

it('shows log-ins and password requests in the timeline only to those who see them elsewhere', async () => {
  const device = { at: venue.clock.now(), id: 'l1', known: false }
  await database.pool.query(
    `INSERT INTO login_event (id, member_id, at, device, network, method, result, known)
     VALUES ($1, $2, $3, 'Firefox on Linux', 'ipv4', 'password', 'succeeded', $4)`,
    [device.id, member.id, device.at, device.known],
  )
  const kinds = async (client: StaffClient) => {
    const { body } = await client.get<ListAnswer<MemberEvent>>(`/members/${member.id}/timeline?limit=100`)
    return body.items.flatMap(({ kind, what }) => (kind === 'login' ? [what] : []))
  }
  expect(await kinds(sue)).toContain('Firefox on Linux')
  expect(await kinds(fay)).toEqual([])
})

it('keeps what the staff note: sealed, for all who see the record, and never changed', async () => {
  const path = `/members/${member.account}/notes`
  const written = await sue.post<MemberNote>(path, { body: 'Called, waits for the letter of the bank' })
  expect(written.status).toBe(201)
  expect(officeRoutes.members.note.answer.parse(written.body)).toEqual(written.body)
  expect(await newestAct()).toMatchObject({ actor: 'sue', act: 'note', member_id: member.id, details: '{}' })
  await fay.post(path, { body: 'Seen' })
  const { body } = await ann.get<ListAnswer<MemberNote>>(`${path}?limit=1`)
  expect(body.items).toMatchObject([{ by: 'fay', body: 'Seen' }])
  const rest = await ann.get<ListAnswer<MemberNote>>(`${path}?limit=1&cursor=${body.nextCursor}`)
  expect(rest.body).toEqual({ items: [written.body], nextCursor: null })
  expect(await newestAct()).toMatchObject({ actor: 'ann', act: 'view', subject_kind: 'notes' })
  expect((await sue.post(path, { body: ' ' })).code).toBe('VALIDATION')

  const stored = await database.pool.query('SELECT body_sealed FROM member_note')
  expect(JSON.stringify(stored.rows.map((row) => String(row['body_sealed'])))).not.toContain('bank')
  await expect(database.pool.query("UPDATE member_note SET author = 'eve'")).rejects.toThrow()
  await expect(database.pool.query('DELETE FROM member_note')).rejects.toThrow()
})

it('no answer to the member has a note', async () => {
  await sue.post(`/members/${member.id}/notes`, { body: 'Suspicious' })
  for (const path of ['/me', '/messages', '/service/messages']) {
    const { body } = await member.get(path)
    expect(JSON.stringify(body)).not.toContain('Suspicious')
  }
})
