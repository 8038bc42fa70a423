import { beforeAll, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import { minor } from '../../../../contract/units.ts'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import type { RouteAnswer } from '../../../../contract/route.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { createStaff, openAndApprove, type StaffClient } from '../../../support/staffClient.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

type Limits = RouteAnswer<typeof officeRoutes.limits.show>
type Answer = Limits & { proposal: Proposal | null }

let member: MemberClient
let finance: StaffClient
let support: StaffClient
let ann: StaffClient
let ben: StaffClient
const venue = await withVenue({ live: true })
beforeAll(async () => {
  member = await venue.registerMember()
  // With two admins the key adds nobody.
  finance = await createStaff(venue, 'finance')
  support = await createStaff(venue, 'support')
  ann = await createStaff(venue, 'admin')
  ben = await createStaff(venue, 'admin')
})
const change = (who: StaffClient, twoPersonsAbove: unknown) =>
  who.post<Answer>('/limits/withdrawals', { twoPersonsAbove })
const shown = async () => (await ann.get<Limits>('/limits')).body

it('shows the limits in force', async () => {
  const limits = await shown()
  expect(officeRoutes.limits.show.answer.parse(limits)).toEqual(limits)
  expect(limits).toMatchObject({
    withdrawals: { max: '999999.00', twoPersonsAbove: '1000.00', restHours: 0 },
    deposits: [{ id: 'bank-1' }, {}],
    fund: { depositsPerDay: 5, withdrawalsPerDay: 3, fastCapPerDay: '10000.00' },
  })
  const products = await ann.get<RouteAnswer<typeof officeRoutes.products.list>>('/products')
  const { durations } = venue.market.settings(venue.market.ids[0]!)!
  expect(products.body.items[0]!.stakes).toEqual(
    durations.map(({ seconds, min, max }) => ({ seconds, min, max })),
  )
})

it('two persons set the amount above which two approve a withdrawal, from the next approval on', async () => {
  // The amount in total goes with it, so both are said, as they were and as they become.
  const both = {
    twoPersonsAboveBefore: '1000.00',
    twoPersonsAbove: '10.00',
    twoPersonsAboveInAllBefore: '10000.00',
    twoPersonsAboveInAll: '100.00',
  }
  const proposed = await change(ann, '10.00')
  expect(proposed.body).toMatchObject({
    withdrawals: { twoPersonsAbove: '1000.00' },
    proposal: { act: 'limits.withdrawals', params: both, status: 'open' },
  })
  expect((await change(ann, '10.00')).code).toBe('SECOND_PERSON')
  const confirmed = await ben.post(`/proposals/${proposed.body.proposal!.id}/confirm`)
  expect(confirmed.status).toBe(200)
  expect((await shown()).withdrawals.twoPersonsAbove).toBe('10.00')
  const { rows } = await venue.database.pool.query(
    `SELECT actor, details FROM audit WHERE act = 'limit' ORDER BY id`,
  )
  expect(rows).toEqual([{ actor: ben.staff.name, details: JSON.stringify(both) }])

  const approve = async (amount: string) => {
    const member = await venue.createVerifiedMember(minor(50_000))
    const { body } = await member.post<Withdrawal>('/withdrawals', { amount, transactionPassword })
    return openAndApprove<{ proposal: Proposal | null }>(finance, `/withdrawals/${body.id}`)
  }
  expect((await approve('10.00')).body.proposal).toBeNull()
  expect((await approve('10.01')).body.proposal).toMatchObject({ status: 'open' })
})

it('refuses what is no amount, and other roles', async () => {
  for (const wrong of ['-1.00', '1', '1000000.00', 5, undefined])
    expect([wrong, (await change(ann, wrong)).status]).toEqual([wrong, 400])
  expect((await change(finance, '5.00')).code).toBe('FORBIDDEN')
})

it('a record has the limits that the member set', async () => {
  await member.send('PUT', '/me/limits', {
    maxStake: '20.00',
    maxDailyLoss: null,
    maxDailyDeposit: null,
    excludedUntil: null,
  })
  const { body } = await support.get(`/members/${member.id}`)
  expect(body).toMatchObject({ limits: { active: { maxStake: '20.00', excludedUntil: null }, pending: [] } })
})
