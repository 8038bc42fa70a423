import { beforeAll, describe, expect, it } from 'vitest'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import { minor } from '../../../../contract/units.ts'
import { lookMs } from '../../../../server/notices/index.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { askForTransactionPassword, askToDeposit, askToWithdraw } from '../../../support/memberRequests.ts'
import { createStaff, openRequest, type StaffClient } from '../../../support/staffClient.ts'
import { photo } from '../../../support/uploads.ts'
import { withVenue } from '../../../support/withVenue.ts'

let ada: StaffClient
let bo: StaffClient
let cora: StaffClient
let sue: StaffClient
const venue = await withVenue({ asRoles: true })
beforeAll(async () => {
  ;[ada, bo] = [await createStaff(venue, 'finance', 'ada'), await createStaff(venue, 'finance', 'bo')]
  ;[cora, sue] = [await createStaff(venue, 'compliance', 'cora'), await createStaff(venue, 'support', 'sue')]
})

type Answer = { status: string; proposal: Proposal | null }
const openFirst = { status: 409, code: 'OPEN_FIRST' }
const approve = (who: StaffClient, path: string) => who.post<Answer>(`${path}/approve`)

/** A request of each kind that waits, and who of the staff decides it. */
const requests: Record<string, () => Promise<{ path: string; by: StaffClient; member: MemberClient }>> = {
  deposit: async () => {
    const member = await venue.createMember()
    return { path: await placeDeposit(member), by: ada, member }
  },
  withdrawal: async () => {
    const member = await venue.createVerifiedMember(minor(500_000))
    return { path: await placeWithdrawal(member, '100.00'), by: ada, member }
  },
  verification: async () => {
    const member = await venue.createMember()
    await venue.submitVerification(member)
    return { path: `/verifications/${member.id}`, by: cora, member }
  },
  'request for a password': async () => {
    const member = await venue.createMember()
    return { path: `/password-requests/${await askForTransactionPassword(member)}`, by: sue, member }
  },
}

async function placeDeposit(member: MemberClient, picture?: Buffer): Promise<string> {
  const proofUploadId = await venue.upload(member, 'deposit_proof', picture)
  return `/deposits/${await askToDeposit(member, '20.00', proofUploadId)}`
}

const placeWithdrawal = async (member: MemberClient, amount: string): Promise<string> =>
  `/withdrawals/${await askToWithdraw(member, amount)}`

const countLooks = async (actor: string, kind: string): Promise<number> =>
  (
    await venue.database.pool.query(
      `SELECT id FROM audit WHERE actor = $1 AND act = 'view' AND subject_kind = $2`,
      [actor, kind],
    )
  ).rows.length

describe.each(Object.keys(requests))('a %s', (kind) => {
  it('is approved by nobody who has not opened it, and by who has', async () => {
    const { path, by } = await requests[kind]!()
    expect(await approve(by, path)).toMatchObject(openFirst)
    const colleague = await createStaff(venue, by.staff.role)
    await colleague.get(path)
    expect(await approve(by, path)).toMatchObject(openFirst)
    await openRequest(by, path)
    expect((await approve(by, path)).status).toBe(200)
  })

  it('is opened again after the member’s facts have changed', async () => {
    const { path, by, member } = await requests[kind]!()
    await openRequest(by, path)
    // As another authenticator app does.
    await venue.database.owner.query(
      `INSERT INTO message (id, member_id, category, key, params, at) VALUES ($1, $1, 'account', 'totpAdded', '{}', $2)`,
      [member.id, venue.clock.now()],
    )
    expect(await approve(by, path)).toMatchObject(openFirst)
    await by.get(path)
    expect((await approve(by, path)).status).toBe(200)
  })
})

it('the second person opens it after it was proposed: the same call and the proposal’s are refused before', async () => {
  const member = await venue.createVerifiedMember(minor(500_000))
  const path = await placeWithdrawal(member, '1500.00')
  await bo.get(path)
  await ada.get(path)
  const { proposal } = (await approve(ada, path)).body
  const confirm = () => bo.post(`/proposals/${proposal!.id}/confirm`)
  expect(await approve(bo, path)).toMatchObject(openFirst)
  expect(await confirm()).toMatchObject(openFirst)
  // Who proposed it is told so.
  expect((await approve(ada, path)).code).toBe('SECOND_PERSON')
  await bo.get(path)
  expect((await confirm()).status).toBe(200)
})

it('the second person opens the member’s facts before what is proposed about a member', async () => {
  const member = await venue.registerMember()
  const freeze = (who: StaffClient) =>
    who.post<Answer>(`/members/${member.id}/freeze`, { reason: 'theft_reported', tellMember: false })
  const { proposal } = (await freeze(sue)).body
  expect(await freeze(cora)).toMatchObject(openFirst)
  expect(await cora.post(`/proposals/${proposal!.id}/confirm`)).toMatchObject(openFirst)
  await cora.get(`/members/${member.id}/facts`)
  expect((await cora.post(`/proposals/${proposal!.id}/confirm`)).status).toBe(200)
})

it.each(['deposit', 'verification'])('a %s is approved only by who has seen its pictures', async (kind) => {
  const { path, by } = await requests[kind]!()
  const { body } = await by.get(path)
  expect(await approve(by, path)).toMatchObject(openFirst)
  const pictures = [body['proofUploadId'], body['frontUploadId'], body['backUploadId']].filter(Boolean)
  for (const [at, picture] of pictures.entries()) {
    expect((await approve(by, path)).code).toBe('OPEN_FIRST')
    expect((await by.get(`/uploads/${String(picture)}`)).status, `${at}`).toBe(200)
  }
  expect((await approve(by, path)).status).toBe(200)
})

it('a deposit is opened again after the same proof has come with another one', async () => {
  const picture = await photo(80)
  const path = await placeDeposit(await venue.createMember(), picture)
  await ada.get(path)
  await placeDeposit(await venue.createMember(), picture)
  expect(await approve(ada, path)).toMatchObject(openFirst)
})

describe('what the second person saw is out of date', () => {
  const freeze = (who: StaffClient, member: MemberClient) =>
    who.post<Answer>(`/members/${member.id}/freeze`, { reason: 'theft_reported', tellMember: false })
  const proposed = async () => {
    const member = await venue.createVerifiedMember(minor(500_000))
    const path = await placeWithdrawal(member, '1500.00')
    const deposit = `/deposits/${await askToDeposit(member, '50.00')}`
    await ada.get(path)
    const { proposal } = (await approve(ada, path)).body
    await bo.get(path)
    const confirm = () => bo.post(`/proposals/${proposal!.id}/confirm`)
    return { member, path, deposit, confirm }
  }

  it('after a note on the member', async () => {
    const { member, path, confirm } = await proposed()
    await sue.post(`/members/${member.id}/notes`, { body: 'Do not pay.' })
    expect(await confirm()).toMatchObject(openFirst)
    await bo.get(path)
    expect((await confirm()).status).toBe(200)
  })

  it('after a deposit that awaits a second approval, which no sum of deposits counts', async () => {
    const { path, deposit, confirm } = await proposed()
    await ada.get(deposit)
    expect((await approve(ada, deposit)).body.proposal).not.toBeNull()
    expect(await confirm()).toMatchObject(openFirst)
    await bo.get(path)
    expect((await confirm()).status).toBe(200)
    const other = await venue.registerMember()
    const unproven = `/deposits/${await askToDeposit(other, '50.00')}`
    await ada.get(unproven)
    await approve(ada, unproven)
    expect((await bo.get(`/members/${other.id}/facts`)).body).toMatchObject({
      deposited: { count: 0, amount: '0.00' },
      awaiting: { count: 1, amount: '50.00' },
    })
  })

  it('while somebody proposes to freeze the member, nothing of theirs is approved or paid', async () => {
    const { member, path, deposit, confirm } = await proposed()
    const { proposal } = (await freeze(sue, member)).body
    for (const at of [path, deposit]) await bo.get(at)
    const refused = { status: 423, code: 'FREEZE_PROPOSED' }
    expect(await confirm()).toMatchObject(refused)
    expect(await approve(bo, deposit)).toMatchObject(refused)
    await sue.post(`/proposals/${proposal!.id}/cancel`)
    await bo.get(path)
    expect((await confirm()).status).toBe(200)
    const again = (await freeze(sue, member)).body.proposal!
    await bo.get(path)
    expect(await bo.post(`${path}/pay`, { reference: 'B-9' })).toMatchObject(refused)
    await sue.post(`/proposals/${again.id}/cancel`)
  })

  it('a freeze is confirmed on facts that were opened after it was proposed', async () => {
    const member = await venue.registerMember()
    await cora.get(`/members/${member.id}/facts`)
    const { proposal } = (await freeze(sue, member)).body
    expect(await cora.post(`/proposals/${proposal!.id}/confirm`)).toMatchObject(openFirst)
    const facts = (await cora.get(`/members/${member.id}/facts`)).body
    expect(facts['proposals']).toMatchObject([{ act: 'members.freeze', proposedBy: 'sue' }])
    expect((await cora.post(`/proposals/${proposal!.id}/confirm`)).status).toBe(200)
  })
})

it('a balance that moves changes none of the facts', async () => {
  const { path, by, member } = await requests['deposit']!()
  await openRequest(by, path)
  expect((await member.post('/fund/deposits', { amount: '100.00' })).status).toBe(201)
  expect((await approve(by, path)).status).toBe(200)
})

it('what stays open is one row in ten minutes, and another one when it shows something new', async () => {
  const member = await venue.registerMember()
  const path = await placeDeposit(member)
  const dan = await createStaff(venue, 'finance', 'dan')
  const read = async () => {
    for (const at of [path, `/members/${member.id}/facts`]) expect((await dan.get(at)).status).toBe(200)
    return [await countLooks('dan', 'deposit'), await countLooks('dan', 'facts')]
  }
  expect(await read()).toEqual([1, 1])
  expect(await read()).toEqual([1, 1])
  // Another request changes the day's sum, and nothing of the member.
  await placeDeposit(member)
  expect(await read()).toEqual([2, 1])
  venue.clock.leap(lookMs)
  expect(await read()).toEqual([3, 2])
  await openRequest(dan, path)
  expect((await approve(dan, path)).status).toBe(200)
})

it('the desk key names no person, so that it has nothing to open', async () => {
  const own = await withVenue({})
  const member = await own.createMember()
  await own.submitVerification(member)
  expect((await own.office('POST', `/verifications/${member.id}/approve`, { body: {} })).status).toBe(200)
})
