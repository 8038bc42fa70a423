import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import { minor } from '../../../../contract/units.ts'
import { dayMs, minuteMs } from '../../../../contract/time.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import { staff } from '../../../../server/office/schema.ts'
import { auditRow } from '../../../scenarios/safety/twoPersonAttacks.ts'
import { raceFourEyes } from '../../../scenarios/fourEyesRaces.ts'
import { leadDatabase } from '../../../support/ledDatabase.ts'
import { bankAccount } from '../../../support/payments.ts'
import { countLockWaits, withPostgres } from '../../../support/postgres.ts'
import {
  createStaff,
  enrolStaff,
  openAndApprove,
  openAndConfirm,
  type StaffClient,
} from '../../../support/staffClient.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

let ada: StaffClient
let bo: StaffClient
const database = await withDatabase()
// The database checks too.
const venue = await withVenue({ database, fence: await leadDatabase(database), asRoles: true })
beforeAll(async () => {
  ;[ada, bo] = [await createStaff(venue, 'finance', 'ada'), await createStaff(venue, 'finance', 'bo')]
})

type Answer = { status: string; approvedBy: string | null; proposal: Proposal | null }
const withdraw = async (amount: string) => {
  const member = await venue.createVerifiedMember(minor(500_000))
  const placed = await member.post<Withdrawal>('/withdrawals', { amount, transactionPassword })
  return { member, id: placed.body.id, no: placed.body.no }
}
const approve = (who: StaffClient, id: string) => openAndApprove<Answer>(who, `/withdrawals/${id}`)
const open = (who: StaffClient, id: string) => who.get(`/withdrawals/${id}`)

it('a withdrawal up to the limit takes one person, one above it two', async () => {
  const small = await withdraw('1000.00')
  expect((await approve(ada, small.id)).body).toMatchObject({ approvedBy: 'ada', proposal: null })
  const { id, no, member } = await withdraw('1000.01')
  const { body } = await approve(ada, id)
  expect(officeRoutes.withdrawals.approve.answer.parse(body)).toEqual(body)
  expect(body).toMatchObject({
    approvedBy: null,
    proposal: {
      act: 'withdrawals.approve',
      subject: { kind: 'withdrawal', id },
      memberId: member.id,
      params: { no, amount: '1000.01' },
      proposedBy: 'ada',
      status: 'open',
    },
  })
  const proposalId = body.proposal!.id
  for (const again of [await approve(ada, id), await ada.post(`/proposals/${proposalId}/confirm`)])
    expect(again).toMatchObject({ status: 403, code: 'SECOND_PERSON' })
  await open(bo, id)
  const confirmed = await bo.post<{ proposal: Proposal; result: Answer }>(`/proposals/${proposalId}/confirm`)
  expect(confirmed.body).toMatchObject({
    proposal: { status: 'confirmed', proposedBy: 'ada', decidedBy: 'bo' },
    result: { approvedBy: 'bo' },
  })
  const shown = await ada.get(`/withdrawals/${id}`)
  expect(shown.body).toMatchObject({ approvedBy: 'bo', proposal: null, confirmed: { proposedBy: 'ada' } })
  expect((await bo.post(`/proposals/${proposalId}/confirm`)).code).toBe('CONFLICT')
  expect((await ada.post(`/withdrawals/${id}/pay`, { reference: 'B-77' })).body).toMatchObject({
    status: 'successful',
    reference: 'B-77',
  })
})

it('the first person may write a note for the second, which is sealed and no part of what is proposed', async () => {
  const { id } = await withdraw('1500.00')
  const words = 'Called: the card is new.'
  type Shown = { takesTwo: boolean; proposal: Proposal | null }
  const show = async (who: StaffClient) => (await who.get<Shown>(`/withdrawals/${id}`)).body
  expect(await show(ada)).toMatchObject({ takesTwo: true, proposal: null })
  const propose = (note: string) => ada.post<Answer>(`/withdrawals/${id}/approve`, { note })
  expect((await propose('x'.repeat(501))).status).toBe(400)
  const proposalId = (await propose(words)).body.proposal!.id
  const { body } = await bo.get<{ items: Proposal[] }>('/proposals?status=open')
  expect(body.items.find((item) => item.id === proposalId)?.note).toBe(words)
  expect((await show(bo)).proposal?.note).toBe(words)
  const stored = await database.pool.query('SELECT body_sealed FROM proposal_note')
  expect(stored.rows).toHaveLength(1)
  expect(JSON.stringify(stored.rows)).not.toContain(Buffer.from(words).toString('hex'))
  const logged = await database.pool.query(
    "SELECT details FROM audit WHERE act = 'propose' AND subject_id = $1",
    [proposalId],
  )
  expect(logged.rows[0]).toMatchObject({ details: expect.stringContaining('"note":true') as string })
  expect(JSON.stringify(logged.rows)).not.toContain('Called')
  // Nobody changes it, or writes one to what another one has proposed.
  await expect(database.pool.query("UPDATE proposal_note SET body_sealed = ''")).rejects.toThrow()
  await expect(database.pool.query('DELETE FROM proposal_note')).rejects.toThrow()
  // The same call with another note is the same act.
  expect((await bo.post<Answer>(`/withdrawals/${id}/approve`, { note: 'Agreed' })).body).toMatchObject({
    approvedBy: 'bo',
    proposal: null,
  })
})

it('nobody adds a note to a proposal later', async () => {
  const { id, member } = await withdraw('1500.00')
  const proposalId = (await approve(ada, id)).body.proposal!.id
  await expect(
    database.pool.query("INSERT INTO proposal_note VALUES ($1, $2, '')", [proposalId, member.id]),
  ).rejects.toThrow('a note is written with its proposal')
  await approve(bo, id)
})

it('one person conflicts if the amount was lowered between the check and the commit', async () => {
  const own = await withDatabase()
  const other = await withVenue({ database: own, fence: await leadDatabase(own), asRoles: true })
  const [carl] = [await createStaff(other, 'finance', 'carl'), await createStaff(other, 'finance', 'dora')]
  const member = await other.createVerifiedMember(minor(500_000))
  const placed = await member.post<Withdrawal>('/withdrawals', { amount: '500.00', transactionPassword })
  // In the database only, as a call sees it that has read the amount before.
  await own.pool.query(
    `INSERT INTO operator_setting
     SELECT key, since_at + 1, value || '{"above":"100.00"}' FROM operator_setting WHERE key = 'four_eyes'`,
  )
  expect((await approve(carl, placed.body.id)).code).toBe('CONFLICT')
})

it('the same call by another person confirms; the key does neither', async () => {
  const { id } = await withdraw('1500.00')
  const withKey = () => venue.office('POST', `/withdrawals/${id}/approve`, { as: 'carl' })
  expect(await withKey()).toMatchObject({ status: 403, code: 'SECOND_PERSON' })
  await approve(ada, id)
  expect(await withKey()).toMatchObject({ status: 403, code: 'SECOND_PERSON' })
  expect((await approve(bo, id)).body).toMatchObject({ approvedBy: 'bo', proposal: null })
})

it('a proposal is declined by another person, taken back by the proposer, and over after three days', async () => {
  const { id } = await withdraw('1500.00')
  const propose = async () => (await approve(ada, id)).body.proposal!.id
  const first = await propose()
  expect((await ada.post(`/proposals/${first}/decline`, { reason: 'x' })).code).toBe('SECOND_PERSON')
  expect(
    (await bo.post<{ proposal: Proposal }>(`/proposals/${first}/decline`, { reason: 'Ask first' })).body,
  ).toMatchObject({
    proposal: { status: 'declined', reason: 'Ask first', decidedBy: 'bo' },
  })
  const second = await propose()
  expect((await bo.post(`/proposals/${second}/cancel`)).code).toBe('FORBIDDEN')
  expect((await ada.post(`/proposals/${second}/cancel`)).status).toBe(200)
  const third = await propose()
  venue.clock.leap(3 * dayMs)
  const [cleo, dan] = [await createStaff(venue, 'finance'), await createStaff(venue, 'finance')]
  expect((await cleo.post(`/proposals/${third}/confirm`)).code).toBe('CONFLICT')
  expect((await approve(dan, id)).body.proposal).toMatchObject({ proposedBy: dan.staff.name, status: 'open' })
  expect((await approve(cleo, id)).body).toMatchObject({ approvedBy: cleo.staff.name })
  await venue.clock.jumpBy(minuteMs)
  ;[ada, bo] = [await createStaff(venue, 'finance'), await createStaff(venue, 'finance')]
})

const openProposals = async (who: StaffClient): Promise<string[]> =>
  (await who.get<{ items: Proposal[] }>('/proposals?status=open')).body.items.map(({ id }) => id)

it('an act that fails when it is confirmed leaves its proposal open', async () => {
  const { id, member } = await withdraw('1500.00')
  const proposalId = (await approve(ada, id)).body.proposal!.id
  const [sue, tom] = [await createStaff(venue, 'support'), await createStaff(venue, 'compliance')]
  const freeze = { reason: 'theft_reported', tellMember: false }
  for (const who of [sue, tom]) {
    await who.get(`/members/${member.id}/facts`)
    await who.post(`/members/${member.id}/freeze`, freeze)
  }
  await open(bo, id)
  expect((await bo.post(`/proposals/${proposalId}/confirm`)).code).toBe('ACCOUNT_FROZEN')
  expect(await openProposals(bo)).toContain(proposalId)
})

describe('a proposal about what is decided meanwhile', () => {
  it.each<[string, (of: Awaited<ReturnType<typeof withdraw>>) => Promise<{ status: number }>]>([
    ['cancelled by the member', ({ member, id }) => member.post(`/withdrawals/${id}/cancel`)],
    ['rejected by a colleague', ({ id }) => bo.post(`/withdrawals/${id}/reject`, { reason: 'No' })],
  ])('is over: %s', async (_, end) => {
    const own = await withdraw('1500.00')
    const proposalId = (await approve(ada, own.id)).body.proposal!.id
    expect((await end(own)).status).toBe(200)
    expect(await openProposals(bo)).not.toContain(proposalId)
    expect((await bo.post(`/proposals/${proposalId}/confirm`)).code).toBe('CONFLICT')
    const { rows } = await database.pool.query(
      `SELECT status, decided_by FROM proposal WHERE id = '${proposalId}'`,
    )
    expect(rows).toEqual([{ status: 'cancelled', decided_by: 'expired' }])
  })

  it('is not made', async () => {
    const { member, id } = await withdraw('1500.00')
    await member.post(`/withdrawals/${id}/cancel`)
    const insert = `INSERT INTO proposal (id, act, subject_kind, subject_id, params, proposed_by, proposed_at, expires_at)
      VALUES ('late', 'withdrawals.approve', 'withdrawal', '${id}', '{}', 'ada', 1, 9e15)`
    await expect(
      database.owner.query(
        `BEGIN; ${insert}; ${auditRow(ada.staff.name, 'propose', 'proposal', 'late')}; COMMIT`,
      ),
    ).rejects.toMatchObject({ code: '23001', table: 'proposal' })
    await database.owner.query('ROLLBACK')
  })
})

it('why a proposal was declined is in the act log, on the request and on the next proposal of the same', async () => {
  const { id } = await withdraw('1500.00')
  const why = { proposedBy: ada.staff.name, reason: 'No such payment' }
  const first = (await approve(ada, id)).body.proposal!.id
  await bo.post(`/proposals/${first}/decline`, { reason: 'No such payment' })
  const { rows } = await database.pool.query<{ details: string }>(
    `SELECT details FROM audit WHERE act = 'decline' AND subject_id = '${first}'`,
  )
  expect(rows.map(({ details }) => JSON.parse(details) as unknown)).toMatchObject([why])
  const declined = [{ ...why, decidedBy: bo.staff.name }]
  expect((await ada.get(`/withdrawals/${id}`)).body).toMatchObject({ proposal: null, declined })
  const next = (await approve(ada, id)).body.proposal!.id
  expect((await bo.get(`/withdrawals/${id}`)).body).toMatchObject({ proposal: { id: next }, declined })
  const { body } = await bo.get<{ items: Proposal[] }>('/proposals?status=open')
  expect(body.items.find((item) => item.id === next)).toMatchObject({ declined })
})

it('what a person tried and may not decide is in the act log, once an hour for each call', async () => {
  const gil = await createStaff(venue, 'finance', 'gil')
  const { id } = await withdraw('1500.00')
  const proposalId = (await approve(gil, id)).body.proposal!.id
  for (const _ of [1, 2]) {
    await gil.post(`/proposals/${proposalId}/confirm`)
    await gil.post('/staff', { name: 'eve', role: 'admin' })
  }
  const refused = async () =>
    (
      await database.pool.query<{ details: string }>(
        `SELECT details FROM audit WHERE actor = 'gil' AND act = 'refused' ORDER BY id`,
      )
    ).rows.map(({ details }) => JSON.parse(details) as unknown)
  const both = [
    { call: 'proposals.confirm', code: 'SECOND_PERSON' },
    { call: 'staff.create', code: 'FORBIDDEN' },
  ]
  expect(await refused()).toEqual(both)
})

it('unbinding and a new password take two persons, whose roles decide both', async () => {
  const [sue, tom] = [await createStaff(venue, 'support'), await createStaff(venue, 'compliance')]
  const member = await venue.createMember()
  await member.send('POST', '/withdrawal-account', bankAccount)
  const unbind = async (who: StaffClient) => {
    await who.get(`/members/${member.id}/facts`)
    return who.post<{ proposal: Proposal | null }>(`/withdrawal-accounts/${member.id}/unbind`)
  }
  const proposed = await unbind(sue)
  expect(proposed.body.proposal).toMatchObject({ memberId: member.id, act: 'withdrawal-accounts.unbind' })
  expect((await ada.post(`/proposals/${proposed.body.proposal!.id}/confirm`)).code).toBe('FORBIDDEN')
  expect((await unbind(tom)).body).toMatchObject({ proposal: null })
  expect((await member.get('/withdrawal-account')).body).toMatchObject({ account: null })

  const request = await member.send<{ id: string }>('POST', '/auth/password-requests', {
    kind: 'transaction',
    oldPassword: transactionPassword,
    newPassword: '730518',
    confirmPassword: '730518',
  })
  const decide = (who: StaffClient) => openAndApprove<Answer>(who, `/password-requests/${request.body.id}`)
  expect((await decide(sue)).body).toMatchObject({
    status: 'under_review',
    proposal: { proposedBy: sue.staff.name },
  })
  expect((await decide(tom)).body).toMatchObject({ status: 'successful', proposal: null })
})

it('a new member of staff, a role and a new code take two admins', async () => {
  const [eva, flo] = [await createStaff(venue, 'admin'), await createStaff(venue, 'admin')]
  type Change = {
    staff: { id: string; role: string } | null
    enrolment: { code: string } | null
    proposal: Proposal | null
  }
  const create = (who: StaffClient) => who.post<Change>('/staff', { name: 'gus', role: 'support' })
  const proposed = await create(eva)
  expect(proposed.body).toMatchObject({ staff: null, enrolment: null, proposal: { params: { name: 'gus' } } })
  expect((await eva.post('/staff', { name: 'gus', role: 'admin' })).code).toBe('CONFLICT')
  const done = await flo.post<{ result: Change }>(`/proposals/${proposed.body.proposal!.id}/confirm`)
  const gus = await enrolStaff(venue.app, done.body.result.enrolment!.code)
  const change = (who: StaffClient) => who.post<Change>(`/staff/${gus.staff.id}/role`, { role: 'finance' })
  const role = (await change(eva)).body.proposal!
  expect(role).toMatchObject({ params: { name: 'gus', role: 'finance' } })
  expect((await openAndConfirm<{ result: Change }>(flo, role)).body.result.staff).toMatchObject({
    role: 'finance',
  })
  expect((await gus.get('/session')).status).toBe(401)
  const code = (await eva.post<Change>(`/staff/${gus.staff.id}/enrol`)).body.proposal!
  expect((await openAndConfirm<{ result: Change }>(flo, code)).body.result.enrolment).not.toBeNull()
  expect((await eva.post<Change>(`/staff/${gus.staff.id}/disable`)).body.staff).toMatchObject({
    status: 'disabled',
  })
})

it('the same call confirms nothing about staff and limits that another person proposed: its proposal does', async () => {
  const [eva, flo] = [await createStaff(venue, 'admin'), await createStaff(venue, 'admin')]
  const { staff } = await createStaff(venue, 'support')
  const acts: [string, object?][] = [
    ['/staff', { name: 'hal', role: 'support' }],
    [`/staff/${staff.id}/role`, { role: 'finance' }],
    [`/staff/${staff.id}/enrol`],
    ['/limits/withdrawals', { twoPersonsAbove: '900.00' }],
  ]
  for (const [path, body] of acts) {
    const { proposal } = (await eva.post<{ proposal: Proposal | null }>(path, body)).body
    // She sends it without having seen that a colleague proposed it, or what has become of that.
    expect([path, (await flo.post(path, body)).code]).toEqual([path, 'CONFLICT'])
    expect([path, (await eva.post(path, body)).code]).toEqual([path, 'SECOND_PERSON'])
    expect(await openProposals(flo)).toEqual([proposal!.id])
    expect((await flo.post(`/proposals/${proposal!.id}/confirm`)).status).toBe(200)
  }
})

it('one alone in practice mode decides alone; the setting and live mode always need two', async () => {
  const own = await withDatabase()
  const practice = await withVenue({ database: own })
  const only = await createStaff(practice, 'finance')
  const member = await practice.createVerifiedMember(minor(500_000))
  const placed = await member.post<Withdrawal>('/withdrawals', { amount: '1500.00', transactionPassword })
  expect((await approve(only, placed.body.id)).body).toMatchObject({
    approvedBy: only.staff.name,
    proposal: null,
  })
  await practice.close()
  const strict = await withVenue({ database: own, settings: { fourEyes: 'on' } })
  const other = await strict.createVerifiedMember(minor(500_000))
  const large = await other.post<Withdrawal>('/withdrawals', { amount: '1500.00', transactionPassword })
  const withKey = await strict.office('POST', `/withdrawals/${large.body.id}/approve`)
  expect(withKey).toMatchObject({ status: 403, code: 'SECOND_PERSON' })
})

it('the database too rejects a decision by the proposer, and a second one', async () => {
  const { id } = await withdraw('1500.00')
  const proposalId = (await approve(ada, id)).body.proposal!.id
  const write = (set: string) => database.pool.query(`UPDATE proposal SET ${set} WHERE id = '${proposalId}'`)
  const by = ada.staff.name
  await expect(write(`status = 'confirmed', decided_by = '${by}', decided_at = 1`)).rejects.toMatchObject({
    code: '23514',
  })
  await expect(write(`proposed_by = 'x'`)).rejects.toMatchObject({ code: '23001' })
  const declined = `status = 'declined', decided_by = '${bo.staff.name}', decided_at = 1, reason = 'r'`
  const decline = `UPDATE proposal SET ${declined} WHERE id = '${proposalId}'`
  await database.owner.query(
    `BEGIN; ${decline}; ${auditRow(bo.staff.name, 'decline', 'proposal', proposalId)}; COMMIT`,
  )
  await expect(write(`status = 'confirmed', reason = NULL`)).rejects.toMatchObject({ code: '23001' })
})

const postgres = await withPostgres('fourEyes')
postgres.describe('on PostgreSQL', () => {
  it('who loses the role while deciding conflicts, and so does a proposal whose proposer loses it', async () => {
    const { pool, db } = postgres.database()
    const own = await withVenue({
      database: postgres.database(),
      fence: await leadDatabase(postgres.database()),
      asRoles: true,
    })
    const [kim, lou] = [await createStaff(own, 'finance', 'kim'), await createStaff(own, 'finance', 'lou')]
    const setRole = (name: string, role: string) =>
      db
        .update(staff)
        .set({ role: role as 'finance' })
        .where(eq(staff.name, name))
    const propose = async () => {
      const member = await own.createVerifiedMember(minor(500_000))
      const placed = await member.post<Withdrawal>('/withdrawals', { amount: '1500.00', transactionPassword })
      const { id } = (await approve(kim, placed.body.id)).body.proposal!
      await open(lou, placed.body.id)
      return id
    }
    const races = [
      [lou, 'decline', { reason: 'no' }, 'lou'],
      [lou, 'confirm', undefined, 'lou'],
      [lou, 'confirm', undefined, 'kim'],
      [kim, 'cancel', undefined, 'kim'],
    ] as const
    const codes: unknown[] = []
    for (const [who, decision, body, loses] of races) {
      const id = await propose()
      const holder = await pool.connect()
      await holder.query(`BEGIN; SELECT FROM proposal WHERE id = '${id}' FOR UPDATE`)
      const decided = who.post(`/proposals/${id}/${decision}`, body)
      await expect.poll(() => countLockWaits({ pool })).toBeGreaterThan(0)
      await setRole(loses, 'content')
      await holder.query('COMMIT')
      holder.release()
      codes.push((await decided).code)
      await setRole(loses, 'finance')
    }
    await own.close()
    expect(codes).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', undefined])
  })

  it('nothing is decided by one person, and nothing twice, whatever is sent at once', async () => {
    const fence = await leadDatabase(postgres.database())
    const own = await withVenue({ database: postgres.database(), fence, asRoles: true })
    const { decidedByOne, decidedTwice, undecided } = await raceFourEyes(own, 30)
    expect({ decidedByOne, decidedTwice, undecided }).toEqual({
      decidedByOne: 0,
      decidedTwice: 0,
      undecided: 0,
    })
  })
})

describe('the queue of proposals', () => {
  it('is that of the role', async () => {
    const content = await createStaff(venue, 'content')
    expect((await content.get('/proposals')).code).toBe('FORBIDDEN')
    const { body } = await (await createStaff(venue, 'admin')).get<{ items: Proposal[] }>('/proposals')
    expect(body.items.every(({ act }) => /^(staff|limits)\./.test(act))).toBe(true)
  })
})
