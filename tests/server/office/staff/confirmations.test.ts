import { beforeAll, expect, it } from 'vitest'
import { fourEyesActs, type FourEyesAct, type Proposal } from '../../../../contract/office/fourEyes.ts'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { StaffRole } from '../../../../contract/office/staff.ts'
import { minor } from '../../../../contract/units.ts'
import { askForTransactionPassword, askToDeposit, askToWithdraw } from '../../../support/memberRequests.ts'
import { createStaff, openAndConfirm, type StaffClient } from '../../../support/staffClient.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ asRoles: true })
type Pair = readonly [StaffClient, StaffClient]
let pairs: Record<'support' | 'compliance' | 'finance' | 'admin', Pair>
beforeAll(async () => {
  const pair = async (role: StaffRole): Promise<Pair> => [
    await createStaff(venue, role),
    await createStaff(venue, role),
  ]
  pairs = {
    support: await pair('support'),
    compliance: await pair('compliance'),
    finance: await pair('finance'),
    admin: await pair('admin'),
  }
})

const reason = 'It never came'

const placeDeposit = async (): Promise<string> => askToDeposit(await venue.createVerifiedMember())
const placeWithdrawal = async (): Promise<string> =>
  askToWithdraw(await venue.createVerifiedMember(minor(500_000)), '1500.00')

/** Proposes an act by the first of two persons. */
const propose: Record<FourEyesAct, () => Promise<[Pair, Proposal]>> = {
  'deposits.approve': async () => {
    const id = await placeDeposit()
    return proposeBy(pairs.finance, `/deposits/${id}`, `/deposits/${id}/approve`)
  },
  'deposits.reject': async () => {
    const id = await placeDeposit()
    const [[, second], { id: declined }] = await proposeBy(
      pairs.finance,
      `/deposits/${id}`,
      `/deposits/${id}/approve`,
    )
    await second.post(`/proposals/${declined}/decline`, { reason })
    return proposeBy(pairs.finance, `/deposits/${id}`, `/deposits/${id}/reject`, { reason })
  },
  'withdrawals.approve': async () => {
    const id = await placeWithdrawal()
    return proposeBy(pairs.finance, `/withdrawals/${id}`, `/withdrawals/${id}/approve`)
  },
  'withdrawals.reject': async () => {
    const id = await placeWithdrawal()
    await confirm(...(await proposeBy(pairs.finance, `/withdrawals/${id}`, `/withdrawals/${id}/approve`)))
    return proposeBy(pairs.finance, `/withdrawals/${id}`, `/withdrawals/${id}/reject`, { reason })
  },
  'withdrawal-accounts.unbind': async () => {
    const { id } = await venue.createVerifiedMember()
    return proposeBy(pairs.support, `/members/${id}/facts`, `/withdrawal-accounts/${id}/unbind`)
  },
  'password-requests.approve': async () => {
    const path = `/password-requests/${await askForTransactionPassword(await venue.createMember())}`
    return proposeBy(pairs.support, path, `${path}/approve`)
  },
  'members.freeze': async () => {
    const { id } = await venue.createMember()
    return proposeFreeze(id, 'freeze')
  },
  'members.renew-freeze': async () => {
    const { id } = await venue.createMember()
    await confirm(...(await proposeFreeze(id, 'freeze')))
    return proposeFreeze(id, 'renew-freeze')
  },
  'limits.withdrawals': () =>
    proposeBy(pairs.admin, '/limits', '/limits/withdrawals', { twoPersonsAbove: '900.00' }),
  'staff.create': () => proposeBy(pairs.admin, '/staff', '/staff', { name: 'gus', role: 'support' }),
  'staff.role': async () => {
    const { staff } = await createStaff(venue, 'support')
    return proposeBy(pairs.admin, '/staff', `/staff/${staff.id}/role`, { role: 'finance' })
  },
  'staff.disable': async () => {
    const [one, other] = [await createStaff(venue, 'support'), await createStaff(venue, 'support')]
    await pairs.admin[0].post(`/staff/${one.staff.id}/disable`)
    return proposeBy(pairs.admin, '/staff', `/staff/${other.staff.id}/disable`)
  },
  'staff.enrol': async () => {
    const { staff } = await createStaff(venue, 'support')
    return proposeBy(pairs.admin, '/staff', `/staff/${staff.id}/enrol`)
  },
}

async function proposeBy(pair: Pair, look: string, path: string, body?: unknown): Promise<[Pair, Proposal]> {
  await pair[0].get(look)
  const answer = await pair[0].post<{ proposal: Proposal }>(path, body)
  expect(answer.body.proposal).toMatchObject({ status: 'open' })
  return [pair, answer.body.proposal]
}

const proposeFreeze = (id: string, how: 'freeze' | 'renew-freeze'): Promise<[Pair, Proposal]> =>
  proposeBy(
    pairs.compliance,
    `/members/${id}/facts`,
    `/members/${id}/${how}`,
    how === 'freeze' ? { reason: 'death' } : undefined,
  )

const confirm = ([, second]: Pair, proposal: Proposal) => openAndConfirm(second, proposal)

it.each(fourEyesActs)('the answer to confirming %s is what the contract says', async (act) => {
  const { status, body } = await confirm(...(await propose[act]()))
  expect([status, body]).toMatchObject([200, { proposal: { act, status: 'confirmed' } }])
  expect(officeRoutes.proposals.confirm.answer.parse(body)).toEqual(body)
})
