import { beforeAll, describe, expect, it } from 'vitest'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import { minor } from '../../../../contract/units.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { askToWithdraw } from '../../../support/memberRequests.ts'
import {
  createStaff,
  enrolStaff,
  openAndApprove,
  openAndConfirm,
  openOfficeCall,
  staffClientOf,
  staffPassword,
  type StaffClient,
} from '../../../support/staffClient.ts'
import type { StaffRole, StaffSession, StaffView } from '../../../../contract/office/staff.ts'
import { withVenue } from '../../../support/withVenue.ts'

type Answer = { status: string; proposal: Proposal | null }

const venue = await withVenue({ asRoles: true })
let ada: StaffClient
let bo: StaffClient
let eva: StaffClient
let flo: StaffClient
beforeAll(async () => {
  ;[eva, flo] = [await createStaff(venue, 'admin'), await createStaff(venue, 'admin')]
  ;[ada, bo] = [await createStaff(venue, 'finance', 'ada'), await createStaff(venue, 'finance', 'bo')]
})

const withdraw = async (member: MemberClient, amount: string): Promise<string> =>
  `/withdrawals/${await askToWithdraw(member, amount)}`
const setLimit = async (amount: string): Promise<void> => {
  const { body } = await eva.post<Answer>('/limits/withdrawals', { twoPersonsAbove: amount })
  expect((await openAndConfirm(flo, body.proposal!)).status).toBe(200)
}
/** As another authenticator app does. */
const changeFactsOf = (member: MemberClient) =>
  venue.database.owner.query(
    `INSERT INTO message (id, member_id, category, key, params, at) VALUES ($1, $1, 'account', 'totpAdded', '{}', $2)`,
    [member.id, venue.clock.now()],
  )
const looksOf = async (actor: string, kind: string) =>
  (
    await venue.database.pool.query(
      `SELECT subject_id FROM audit WHERE actor = $1 AND act = 'view' AND subject_kind = $2`,
      [actor, kind],
    )
  ).rows

describe('who proposed does not decide alone', () => {
  it('after the limit has been raised over it', async () => {
    const member = await venue.createVerifiedMember(minor(500_000))
    const path = await withdraw(member, '1500.00')
    const { proposal } = (await openAndApprove<Answer>(ada, path)).body
    await changeFactsOf(member)
    await setLimit('4000.00')
    expect(await ada.post(`${path}/approve`)).toMatchObject({ status: 403, code: 'SECOND_PERSON' })
    // Who takes it back has it anew: opened, as it is now.
    expect((await ada.post(`/proposals/${proposal!.id}/cancel`)).status).toBe(200)
    expect((await ada.post(`${path}/approve`)).code).toBe('OPEN_FIRST')
    expect((await openAndApprove<Answer>(ada, path)).body.proposal).toBeNull()
    await setLimit('1000.00')
  })

  it('in another session', async () => {
    const path = await withdraw(await venue.createVerifiedMember(minor(500_000)), '1500.00')
    await openAndApprove(bo, path)
    const body = { name: 'bo', password: staffPassword }
    const other = staffClientOf(
      venue.app,
      await openOfficeCall<StaffSession>(venue.app, 'POST', '/session', { body }),
    )
    expect((await openAndApprove(other, path)).code).toBe('SECOND_PERSON')
  })
})

it('who pays has opened the withdrawal as it is after the approval', async () => {
  const member = await venue.createVerifiedMember(minor(500_000))
  const path = await withdraw(member, '20.00')
  await openAndApprove(ada, path)
  const pay = (who: StaffClient) => who.post<Withdrawal>(`${path}/pay`, { reference: 'B-1' })
  for (const who of [ada, bo]) expect((await pay(who)).code).toBe('OPEN_FIRST')
  await bo.get(path)
  await changeFactsOf(member)
  expect((await pay(bo)).code).toBe('OPEN_FIRST')
  await bo.get(path)
  expect((await pay(bo)).body.status).toBe('successful')
  // Again it says that it is over.
  expect((await pay(bo)).code).toBe('CONFLICT')
})

it('who reads what colleagues proposed, with their notes, is in the act log', async () => {
  const sue = await createStaff(venue, 'support')
  await sue.get('/proposals')
  await sue.get('/proposals?status=confirmed')
  expect(await looksOf(sue.staff.name, 'proposals')).toEqual([{ subject_id: 'list' }])
})

describe('what two admins decide about a colleague', () => {
  let hired = 0
  const hire = async (role: StaffRole): Promise<StaffView> => {
    const name = `hired-${(hired += 1)}`
    const { body } = await eva.post<Answer>('/staff', { name, role })
    type Hired = { result: { staff: StaffView; enrolment: { code: string } } }
    const { result } = (await openAndConfirm<Hired>(flo, body.proposal!)).body
    await enrolStaff(venue.app, result.enrolment.code)
    return result.staff
  }
  const statusOf = async (name: string) =>
    (await venue.database.pool.query('SELECT role, status FROM staff WHERE name = $1', [name])).rows[0]

  it('is not confirmed once the person was disabled, which a new code would undo', async () => {
    const { id, name } = await hire('support')
    const { proposal } = (await eva.post<Answer>(`/staff/${id}/enrol`)).body
    expect(proposal?.params).toMatchObject({ status: 'active' })
    expect((await flo.post(`/staff/${id}/disable`)).status).toBe(200)
    expect((await flo.post(`/proposals/${proposal!.id}/confirm`)).code).toBe('CONFLICT')
    expect(await statusOf(name)).toEqual({ role: 'support', status: 'disabled' })
    // It is proposed as it is now, once the other one is taken back.
    await eva.post(`/proposals/${proposal!.id}/cancel`)
    const again = (await eva.post<Answer>(`/staff/${id}/enrol`)).body.proposal
    expect((await flo.post(`/proposals/${again!.id}/confirm`)).status).toBe(200)
  })

  it('is not confirmed once the person has another role', async () => {
    const { id, name } = await hire('support')
    const code = (await eva.post<Answer>(`/staff/${id}/enrol`)).body.proposal
    const role = (await flo.post<Answer>(`/staff/${id}/role`, { role: 'finance' })).body.proposal
    expect((await openAndConfirm(eva, role!)).status).toBe(200)
    expect((await flo.post(`/proposals/${code!.id}/confirm`)).code).toBe('CONFLICT')
    expect(await statusOf(name)).toEqual({ role: 'finance', status: 'active' })
  })
})

it('who reads the list of conversations is in the act log, once in ten minutes', async () => {
  const sue = await createStaff(venue, 'support')
  await sue.get('/service')
  await sue.get('/service')
  expect(await looksOf(sue.staff.name, 'service_threads')).toEqual([{ subject_id: 'list' }])
})
