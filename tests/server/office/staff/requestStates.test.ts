import { expect, it } from 'vitest'
import type { MemberFacts } from '../../../../contract/office/memberFacts.ts'
import type { MemberEvent } from '../../../../contract/office/memberHistory.ts'
import type { Found } from '../../../../contract/office/memberRecord.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import type { ListAnswer } from '../../../support/apiCalls.ts'
import { bankAccount } from '../../../support/payments.ts'
import { createStaff, openAndApprove, type StaffClient } from '../../../support/staffClient.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ asRoles: true })

const withdraw = async () => {
  const ada = await createStaff(venue, 'finance')
  const member = await venue.registerMember()
  await venue.submitVerification(member)
  await openAndApprove(await createStaff(venue, 'compliance'), `/verifications/${member.id}`)
  await member.send('POST', '/withdrawal-account', bankAccount)
  const form = { amount: '10.00', transactionPassword }
  const { id, no } = (await member.post<Withdrawal>('/withdrawals', form)).body
  return { ada, member, id, no }
}

it.each<[string, string, (ada: StaffClient, path: string) => Promise<unknown>]>([
  ['waits', 'under_review', async () => undefined],
  ['is approved', 'approved', openAndApprove],
  ['is rejected', 'failed', (ada, path) => ada.post(`${path}/reject`, { reason: 'No' })],
])('search, member’s requests and timeline have one state of a withdrawal that %s', async (_, state, act) => {
  const { ada, member, id, no } = await withdraw()
  await act(ada, `/withdrawals/${id}`)
  expect(await statesOf(ada, member.id, no)).toEqual([state, state, state])
})

it('a withdrawal that its member cancelled is not one that was rejected', async () => {
  const { ada, member, id, no } = await withdraw()
  expect((await member.post(`/withdrawals/${id}/cancel`)).status).toBe(200)
  expect(await statesOf(ada, member.id, no)).toEqual(['cancelled', 'cancelled', 'cancelled'])
})

async function statesOf(ada: StaffClient, memberId: string, no: string) {
  const found = (await ada.post<{ items: Found[] }>('/search', { q: no })).body.items
  const { recent } = (await ada.get<MemberFacts>(`/members/${memberId}/facts`)).body
  const timeline = (await ada.get<ListAnswer<MemberEvent>>(`/members/${memberId}/timeline`)).body.items
  return [
    found.find((hit) => hit.no === no)?.status,
    recent.find((one) => one.no === no)?.status,
    timeline.find((event) => event.kind === 'withdrawal' && event.no === no)?.status,
  ]
}
