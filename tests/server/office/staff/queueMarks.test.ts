import { beforeAll, expect, it } from 'vitest'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import type { QueueItem } from '../../../../contract/office/queues.ts'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import { minor } from '../../../../contract/units.ts'
import type { ListAnswer } from '../../../support/apiCalls.ts'
import { askToDeposit, askToWithdraw } from '../../../support/memberRequests.ts'
import {
  createStaff,
  openAndApprove,
  openAndConfirm,
  type StaffClient,
} from '../../../support/staffClient.ts'
import { photo } from '../../../support/uploads.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ asRoles: true })
let ada: StaffClient
let bo: StaffClient
let lea: StaffClient
let tom: StaffClient
beforeAll(async () => {
  ;[ada, bo] = [await createStaff(venue, 'finance', 'ada'), await createStaff(venue, 'finance', 'bo')]
  ;[lea, tom] = [await createStaff(venue, 'compliance', 'lea'), await createStaff(venue, 'compliance', 'tom')]
})

type Answer = { proposal: Proposal | null }
const withdraw = async (amount: string) => {
  const member = await venue.createVerifiedMember(minor(500_000))
  return { member, id: await askToWithdraw(member, amount) }
}
const itemOf = async (who: StaffClient, queue: string, id: string): Promise<QueueItem | undefined> => {
  const { body } = await who.get<ListAnswer<QueueItem>>(`/queues/${queue}?item=${id}`)
  expect(officeRoutes.queues.show.answer.parse(body)).toEqual(body)
  return body.items[0]
}
/** What the act log says of the newest act about a subject. */
const logged = async (act: string, subject: string): Promise<unknown> => {
  const { rows } = await venue.database.pool.query<{ details: string }>(
    'SELECT details FROM audit WHERE act = $1 AND subject_id = $2 ORDER BY id DESC LIMIT 1',
    [act, subject],
  )
  return JSON.parse(rows[0]!.details)
}
/** As if the member had verified another name since. */
const changeName = (memberId: string) =>
  venue.database.owner.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     DELETE FROM verification WHERE member_id = '${memberId}'; COMMIT`,
  )

it('an approval ends its claim, and a colleague rejects the payment', async () => {
  const { id } = await withdraw('20.00')
  await ada.post('/queues/withdrawals/claim', { item: id })
  await openAndApprove(ada, `/withdrawals/${id}`)
  expect(await itemOf(bo, 'payments', id)).toMatchObject({ claim: null, approvedBy: 'ada' })
  expect((await bo.post(`/withdrawals/${id}/reject`, { reason: 'Card closed' })).status).toBe(200)
})

it('a payment is refused by the claim that its queue shows', async () => {
  const { id } = await withdraw('20.00')
  await openAndApprove(ada, `/withdrawals/${id}`)
  await ada.post('/queues/payments/claim', { item: id })
  expect(await itemOf(bo, 'payments', id)).toMatchObject({ claim: { by: 'ada' } })
  expect((await bo.post(`/withdrawals/${id}/reject`, { reason: 'x' })).code).toBe('CLAIMED')
})

it('the dangers that stood when a withdrawal was proposed and approved are in the log and in the list', async () => {
  const { id, member } = await withdraw('1500.00')
  await changeName(member.id)
  const { proposal } = (await openAndApprove<Answer>(ada, `/withdrawals/${id}`)).body
  expect(await logged('propose', proposal!.id)).toMatchObject({ dangers: 'otherPayee sameCard' })
  expect(await itemOf(bo, 'proposals', proposal!.id)).toMatchObject({ dangers: ['otherPayee', 'sameCard'] })
  await openAndConfirm(bo, proposal!)
  expect(await logged('approve', id)).toMatchObject({ dangers: 'otherPayee sameCard' })
  expect(await itemOf(bo, 'payments', id)).toMatchObject({
    dangers: ['otherPayee', 'sameCard'],
    approvedBy: 'bo',
  })
})

it('a frozen member, a used proof and a declined approval are marks, and a deposit keeps its dangers', async () => {
  const picture = await photo(80)
  const place = async () => {
    const member = await venue.createMember()
    const proofUploadId = await venue.upload(member, 'deposit_proof', picture)
    return { member, id: await askToDeposit(member, '20.00', proofUploadId) }
  }
  const [first, second] = [await place(), await place()]
  expect(await itemOf(ada, 'deposits', second.id)).toMatchObject({ dangers: ['usedProof'] })
  await openAndApprove(ada, `/deposits/${first.id}`)
  const { proposal } = (await openAndApprove<Answer>(ada, `/deposits/${second.id}`)).body
  expect(await logged('approve', second.id)).toMatchObject({ awaits: 'second person', dangers: 'usedProof' })
  await bo.post(`/proposals/${proposal!.id}/decline`, { reason: 'Same receipt' })
  for (const who of [lea, tom]) {
    await who.get(`/members/${second.member.id}/facts`)
    await who.post(`/members/${second.member.id}/freeze`, { reason: 'death' })
  }
  const declined = { act: 'deposits.approve', decidedBy: 'bo', reason: 'Same receipt' }
  expect(await itemOf(ada, 'deposits', second.id)).toMatchObject({
    dangers: ['frozen', 'usedProof', 'declined'],
    secondDeclined: declined,
  })
  const { body } = await ada.get<ListAnswer<Deposit>>(`/deposits?memberId=${second.member.id}`)
  expect(officeRoutes.deposits.list.answer.parse(body)).toEqual(body)
  expect(body.items).toMatchObject([
    { awaitsSecondPerson: true, secondDeclined: declined, confirmedBy: null },
  ])
})

it('a payment whose rejection was declined says so, by whom and why', async () => {
  const { id } = await withdraw('3000.00')
  const { proposal } = (await openAndApprove<Answer>(ada, `/withdrawals/${id}`)).body
  await openAndConfirm(bo, proposal!)
  await ada.get(`/withdrawals/${id}`)
  const rejection = (await ada.post<Answer>(`/withdrawals/${id}/reject`, { reason: 'Card closed' })).body
  await bo.post(`/proposals/${rejection.proposal!.id}/decline`, { reason: 'It is open' })
  const declined = { act: 'withdrawals.reject', decidedBy: 'bo', reason: 'It is open' }
  expect(await itemOf(ada, 'payments', id)).toMatchObject({
    dangers: ['otherPayee', 'sameCard', 'declined'],
    secondDeclined: declined,
  })
  expect((await ada.get(`/withdrawals/${id}`)).body).toMatchObject({
    proposal: null,
    declined: [{ ...declined, proposedBy: 'ada' }],
  })
})

it('a proposal says with what its act is made', async () => {
  const [eva, flo] = [await createStaff(venue, 'admin', 'eva'), await createStaff(venue, 'admin', 'flo')]
  const { body } = await eva.post<Answer>(`/staff/${bo.staff.id}/role`, { role: 'admin' })
  expect(await itemOf(flo, 'proposals', body.proposal!.id)).toMatchObject({
    params: { name: 'bo', from: 'finance', role: 'admin' },
  })
})
