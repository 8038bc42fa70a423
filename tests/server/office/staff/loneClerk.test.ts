import { describe, expect, it } from 'vitest'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import type { Claim } from '../../../../contract/office/queues.ts'
import type { StaffSession } from '../../../../contract/office/staff.ts'
import { dayMs, minuteMs } from '../../../../contract/time.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { askToDeposit } from '../../../support/memberRequests.ts'
import { bankAccount } from '../../../support/payments.ts'
import {
  createStaff,
  openAndApprove,
  openOfficeCall,
  type StaffClient,
  staffClientOf,
  staffPassword,
} from '../../../support/staffClient.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ asRoles: true, operatorConfig: { recordsPerHour: 1 } })

describe('a conversation that was reopened', () => {
  it('lifts no limit of records, until the member writes again', async () => {
    const [sue, ann] = [await createStaff(venue, 'support'), await createStaff(venue, 'compliance')]
    const [first, member] = [await venue.registerMember(), await venue.registerMember()]
    await member.post('/service/messages', { body: 'thank you' })
    await ann.post(`/service/${member.id}/done`)
    expect((await sue.get(`/members/${first.id}`)).status).toBe(200)
    await sue.post(`/service/${member.id}/reopen`)
    await sue.post('/queues/service/claim', { item: member.id })
    expect((await sue.get(`/members/${member.id}`)).code).toBe('RECORDS_LIMIT')
    venue.clock.leap(1)
    await member.post('/service/messages', { body: 'and one more thing' })
    expect((await sue.get(`/members/${member.id}`)).status).toBe(200)
  })

  it('nor does one’s own proposal', async () => {
    const sue = await createStaff(venue, 'support')
    const [first, member] = [await venue.registerMember(), await venue.registerMember()]
    await sue.get(`/members/${first.id}`)
    const freeze = { reason: 'theft_reported' }
    const { proposal } = (await sue.post<{ proposal: Proposal }>(`/members/${member.id}/freeze`, freeze)).body
    await sue.post('/queues/proposals/claim', { item: proposal.id })
    expect((await sue.get(`/members/${member.id}`)).code).toBe('RECORDS_LIMIT')
  })
})

describe('a claim', () => {
  const claim = (who: StaffClient, item: string) =>
    who.post<{ claim: Claim }>('/queues/deposits/claim', { item })
  const deposit = async () => askToDeposit(await venue.registerMember())

  it('ends after thirty minutes in all, also if it was released meanwhile: then another one takes it at once', async () => {
    const [fay, jun] = [await createStaff(venue, 'finance'), await createStaff(venue, 'finance')]
    const item = await deposit()
    const start = venue.clock.now()
    for (let passed = 0; passed < 30; passed += 6) {
      expect((await claim(fay, item)).status).toBe(200)
      venue.clock.leap(6 * minuteMs)
      // At work meanwhile, so that the session lasts.
      await jun.get('/queues/payments')
      if (passed === 12) await fay.post('/queues/deposits/release', { item })
    }
    expect(venue.clock.now()).toBe(start + 30 * minuteMs)
    expect((await claim(fay, item)).code).toBe('CLAIMED')
    type Next = { item: { id: string } | null }
    expect((await fay.post<Next>('/queues/deposits/next')).body.item?.id).not.toBe(item)
    expect((await claim(jun, item)).status).toBe(200)
  })

  it('ends when its person logs out, which the act log says, or is disabled', async () => {
    const [fay, jun] = [await createStaff(venue, 'finance'), await createStaff(venue, 'finance')]
    const [item, other] = [await deposit(), await deposit()]
    await claim(fay, item)
    expect((await claim(jun, item)).code).toBe('CLAIMED')
    expect((await fay.call('DELETE', '/session')).status).toBe(204)
    expect((await claim(jun, item)).status).toBe(200)
    const { rows } = await venue.database.pool.query(`SELECT act FROM audit WHERE actor = $1`, [
      fay.staff.name,
    ])
    expect(rows).toContainEqual({ act: 'log-out' })
    const kim = await createStaff(venue, 'finance')
    await claim(kim, other)
    await venue.office('POST', `/staff/${kim.staff.id}/disable`, { body: {} })
    expect((await claim(jun, other)).status).toBe(200)
  })
})

describe('a verification that was revoked', () => {
  const submit = async (member: MemberClient) => {
    await venue.submitVerification(member)
    return `/verifications/${member.id}`
  }
  const revoked = async () => {
    const [ann, bob] = [await createStaff(venue, 'compliance'), await createStaff(venue, 'compliance')]
    const member = await venue.registerMember()
    const path = await submit(member)
    await ann.post('/queues/verifications/claim', { item: member.id })
    expect((await openAndApprove(ann, path)).status).toBe(200)
    expect((await ann.post(`${path}/revoke`, { reason: 'unclear' })).status).toBe(200)
    return { ann, bob, member, path }
  }

  it('is approved as another person only by somebody else, and is a change that who pays sees', async () => {
    const { ann, bob, member, path } = await revoked()
    await member.send('POST', '/verification', {
      name: 'Tomasz Thief',
      idNumber: 'TT123456',
      nationality: 'PL',
      frontUploadId: await venue.upload(member, 'id_front'),
      backUploadId: await venue.upload(member, 'id_back'),
    })
    const shown = await ann.get(path)
    expect(shown.body['before']).toMatchObject({ revokedBy: ann.staff.name, differs: true })
    expect((await openAndApprove(ann, path)).code).toBe('SECOND_PERSON')
    expect((await openAndApprove(bob, path)).status).toBe(200)
    const { body } = await bob.get<{ changes: { what: string }[] }>(`/members/${member.id}/facts`)
    expect(body.changes.map(({ what }) => what)).toContain('verified_name')
  })

  it('is approved by the same person as the same one', async () => {
    const { ann, path, member } = await revoked()
    await submit(member)
    expect((await openAndApprove(ann, path)).status).toBe(200)
  })
})

it('lists name how many they show, and count toward a limit of their own', async () => {
  const sue = await createStaff(venue, 'support')
  const shown = async () =>
    (
      await venue.database.pool.query(
        `SELECT sum((details::jsonb->>'shown')::int)::int AS n FROM audit WHERE actor = $1 AND act = 'view'`,
        [sue.staff.name],
      )
    ).rows[0]
  expect((await sue.get('/members?limit=6')).status).toBe(200)
  expect(await shown()).toEqual({ n: 6 })
  expect((await sue.get('/members?limit=5')).code).toBe('RECORDS_LIMIT')
  expect((await sue.get('/members?limit=4')).status).toBe(200)
  const name = encodeURIComponent('nobody-at-all')
  expect((await sue.get(`/members?account=${name}`)).status).toBe(200)
  expect(await shown()).toEqual({ n: 10 })
})

it('who has disabled one person proposes the next, while two admins are active', async () => {
  const own = await withVenue({ asRoles: true })
  const [eva, flo] = [await createStaff(own, 'admin'), await createStaff(own, 'admin')]
  const others = [await createStaff(own, 'finance'), await createStaff(own, 'support')]
  type Answer = { staff: { status: string } | null; proposal: Proposal | null }
  const disable = (who: StaffClient, { staff }: StaffClient) => who.post<Answer>(`/staff/${staff.id}/disable`)
  expect((await disable(eva, others[0]!)).body.staff?.status).toBe('disabled')
  const { proposal, staff } = (await disable(eva, others[1]!)).body
  expect([proposal?.act, staff]).toEqual(['staff.disable', null])
  expect((await flo.post(`/proposals/${proposal!.id}/confirm`)).status).toBe(200)
})

it('who has disabled the other admin does not disable the rest alone', async () => {
  const own = await withVenue({ asRoles: true })
  const [eva, flo] = [await createStaff(own, 'admin'), await createStaff(own, 'admin')]
  const [fay, sue] = [await createStaff(own, 'finance'), await createStaff(own, 'support')]
  type Answer = { staff: { status: string } | null; proposal: (Proposal & { nobodyElse?: boolean }) | null }
  const disable = (who: StaffClient, { staff }: StaffClient) => who.post<Answer>(`/staff/${staff.id}/disable`)
  expect((await disable(eva, flo)).body.staff?.status).toBe('disabled')
  for (const next of [fay, sue])
    expect((await disable(eva, next)).body).toMatchObject({ staff: null, proposal: { nobodyElse: true } })
  // A day later it is as it was.
  own.clock.leap(dayMs)
  const again = staffClientOf(
    own.app,
    await openOfficeCall<StaffSession>(own.app, 'POST', '/session', {
      body: { name: eva.staff.name, password: staffPassword },
    }),
  )
  expect((await disable(again, fay)).body.staff?.status).toBe('disabled')
})

it('the name of a bank has nothing invisible', async () => {
  const member = await venue.createMember()
  const reply = await member.send('POST', '/withdrawal-account', { ...bankAccount, bank: 'First\u200bBank' })
  expect(reply.fields).toEqual({ bank: 'INVALID' })
})
