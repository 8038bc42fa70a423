import { beforeAll, expect, it } from 'vitest'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import { asOffice } from '../../../../server/platform/db/roles/roleContext.ts'
import { leadDatabase } from '../../../support/ledDatabase.ts'
import { askToDeposit } from '../../../support/memberRequests.ts'
import { photo } from '../../../support/uploads.ts'
import { createStaff, openAndApprove, openRequest, type StaffClient } from '../../../support/staffClient.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

const database = await withDatabase()
// The database checks too.
const venue = await withVenue({ database, fence: await leadDatabase(database), asRoles: true })
let ada: StaffClient
let bo: StaffClient
beforeAll(async () => {
  ;[ada, bo] = [await createStaff(venue, 'finance', 'ada'), await createStaff(venue, 'finance', 'bo')]
})

const place = async (picture: Buffer): Promise<string> => {
  const member = await venue.createMember()
  return askToDeposit(member, '20.00', await venue.upload(member, 'deposit_proof', picture))
}
type Answer = { status: string; awaitsSecondPerson: boolean; proposal: Proposal | null }
const approve = async (who: StaffClient, id: string) =>
  (await openAndApprove<Answer>(who, `/deposits/${id}`)).body
const takesTwo = async (id: string) => (await ada.get<{ takesTwo: boolean }>(`/deposits/${id}`)).body.takesTwo

it('a proof for which another deposit was credited takes two persons, one that was refused or waits does not', async () => {
  const picture = await photo()
  const [first, second, third] = [await place(picture), await place(picture), await place(picture)]
  expect((await bo.post(`/deposits/${first}/reject`, { reason: 'Nothing came' })).status).toBe(200)
  expect(await takesTwo(second)).toBe(false)
  expect(await approve(ada, second)).toMatchObject({ awaitsSecondPerson: false, proposal: null })
  expect(await takesTwo(third)).toBe(true)
  expect(await approve(ada, third)).toMatchObject({
    awaitsSecondPerson: true,
    proposal: { proposedBy: 'ada' },
  })
  expect(await approve(bo, third)).toMatchObject({ awaitsSecondPerson: false, proposal: null })
})

it('the database refuses one person too, and lets no two of the same proof pass at once', async () => {
  const picture = await photo(90)
  const [first, second, third] = [await place(picture), await place(picture), await place(picture)]
  await openRequest(ada, `/deposits/${first}`)
  await openRequest(bo, `/deposits/${second}`)
  await Promise.all([ada.post(`/deposits/${first}/approve`), bo.post(`/deposits/${second}/approve`)])
  const { rows } = await database.pool.query(
    `SELECT id FROM deposit WHERE id = ANY($1) AND status = 'successful' AND NOT awaits_second`,
    [[first, second]],
  )
  expect(rows).toHaveLength(1)
  // As a call does that has looked before the other one was credited.
  await expect(asOffice(() => venue.deposits.office.approve(third, 'ada'))).rejects.toMatchObject({
    cause: { constraint: 'two_persons' },
  })
})
