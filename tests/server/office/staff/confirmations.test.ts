import { beforeAll, expect, it } from 'vitest'
import type { Deposit } from '../../../../contract/deposits.ts'
import { fourEyesActs, type FourEyesAct, type Proposal } from '../../../../contract/office/fourEyes.ts'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { StaffRole } from '../../../../contract/office/staff.ts'
import { minor } from '../../../../contract/units.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import { createStaff, openAndConfirm, type StaffClient } from '../../../support/staffClient.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
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

async function askToDeposit(): Promise<string> {
  const member = await venue.createVerifiedMember()
  const { body } = await member.post<Deposit>('/deposits', { methodId: 'practice-review', amount: '20.00' })
  return body.id
}

async function askToWithdraw(): Promise<string> {
  const member = await venue.createVerifiedMember(minor(500_000))
  const asked = { amount: '1500.00', transactionPassword }
  return (await member.post<Withdrawal>('/withdrawals', asked)).body.id
}

/** Proposes an act by the first of two persons. */
const propose: Record<FourEyesAct, () => Promise<[Pair, Proposal]>> = {
  'deposits.approve': async () => {
    const id = await askToDeposit()
    return proposeBy(pairs.finance, `/deposits/${id}`, `/deposits/${id}/approve`)
  },
  'deposits.reject': async () => {
    const id = await askToDeposit()
    const [[, second], { id: declined }] = await proposeBy(
      pairs.finance,
      `/deposits/${id}`,
      `/deposits/${id}/approve`,
    )
    await second.post(`/proposals/${declined}/decline`, { reason })
    return proposeBy(pairs.finance, `/deposits/${id}`, `/deposits/${id}/reject`, { reason })
  },
  'withdrawals.approve': async () => {
    const id = await askToWithdraw()
    return proposeBy(pairs.finance, `/withdrawals/${id}`, `/withdrawals/${id}/approve`)
  },
  'withdrawals.reject': async () => {
    const id = await askToWithdraw()
    await confirm(...(await proposeBy(pairs.finance, `/withdrawals/${id}`, `/withdrawals/${id}/approve`)))
    return proposeBy(pairs.finance, `/withdrawals/${id}`, `/withdrawals/${id}/reject`, { reason })
  },
  'withdrawal-accounts.unbind': async () => {
    const { id } = await venue.createVerifiedMember()
    return proposeBy(pairs.support, `/members/${id}/facts`, `/withdrawal-accounts/${id}/unbind`)
  },
  'password-requests.approve': async () => {
    const member = await venue.createMember()
    const { body } = await member.send<{ id: string }>('POST', '/auth/password-requests', {
      kind: 'transaction',
      oldPassword: transactionPassword,
      newPassword: '730518',
      confirmPassword: '730518',
    })
    return proposeBy(pairs.support, `/password-requests/${body.id}`, `/password-requests/${body.id}/approve`)
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
