import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import type { Fence } from '../../../../server/platform/db/fence.ts'
import { call } from '../../../support/apiCalls.ts'
import { leadDatabase } from '../../../support/ledDatabase.ts'
import { countLockWaits, withPostgres } from '../../../support/postgres.ts'
import { createStaff, openAndApprove, openRequest, type StaffClient } from '../../../support/staffClient.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'
import { photo } from '../../../support/uploads.ts'
import { recoveryQueryOf } from '../../../support/recoveryLink.ts'

type Decided = { status: string; awaitsSecondPerson: boolean; proposal: Proposal | null }
type Approved = { link?: string; firstCode?: string; proposal: Proposal | null }

const rounds = 12
const postgres = await withPostgres('decision_races')

/** What two persons send at the same moment, one of whom is dishonest. */
postgres.describe('decisions at once', () => {
  let database: Database
  let fence: Fence
  let venue: TestVenue
  let ada: StaffClient
  let bo: StaffClient
  let sue: StaffClient
  let ann: StaffClient
  beforeAll(async () => {
    database = postgres.database()
    fence = await leadDatabase(database)
    venue = await openTestVenue(database, { fence, asRoles: true })
    ada = await createStaff(venue, 'finance', 'ada')
    bo = await createStaff(venue, 'finance', 'bo')
    sue = await createStaff(venue, 'support', 'sue')
    ann = await createStaff(venue, 'compliance', 'ann')
  })
  afterAll(async () => {
    await venue.close()
  })

  it('of two deposits with one picture, one that a second person still confirms counts for the other', async () => {
    const picture = await photo()
    const place = async (amount: string): Promise<string> => {
      const member = await venue.createMember()
      const proofUploadId = await venue.upload(member, 'deposit_proof', picture)
      const asked = { methodId: 'practice-review', amount, proofUploadId }
      return `/deposits/${(await member.post<Deposit>('/deposits', asked)).body.id}`
    }
    const [large, small] = [await place('1500.00'), await place('20.00')]
    await openRequest(ada, large)
    await openRequest(bo, small)
    const holder = await database.pool.connect()
    onTestFinished(() => holder.release(true))
    await holder.query(
      `BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('proof ' || content_hash, 0))
       FROM (SELECT DISTINCT content_hash FROM upload WHERE purpose = 'deposit_proof') u`,
    )
    const credited = ada.post<Decided>(`${large}/approve`)
    await expect.poll(() => countLockWaits(database)).toBe(1)
    const approved = bo.post<Decided>(`${small}/approve`)
    await expect.poll(() => countLockWaits(database)).toBe(2)
    await holder.query('COMMIT')
    expect((await credited).body).toMatchObject({ awaitsSecondPerson: true, proposal: { proposedBy: 'ada' } })
    expect((await approved).code).toBe('CONFLICT')
    expect((await openAndApprove<Decided>(bo, small)).body).toMatchObject({ awaitsSecondPerson: true })
  })

  it('a forgotten password that is taken back while another person confirms leaves a link with its code, or nothing', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const path = await forgotten()
      await sue.get(path)
      const first = (await sue.post<Approved>(`${path}/approve`, { called: true })).body
      const proposed = `/proposals/${first.proposal!.id}`
      await ann.get(path)
      const again = async () => {
        const cancelled = await sue.post(`${proposed}/cancel`)
        const next = await sue.post<Approved>(`${path}/approve`, { called: true })
        return { cancelled, next }
      }
      const [mine, byRequest, byProposal] = await Promise.all([
        again(),
        ann.post<Approved>(`${path}/approve`, { called: true }),
        ann.post<{ result: Approved }>(`${proposed}/confirm`),
      ])
      const links = [byRequest.body.link, byProposal.body.result?.link].filter((link) => link !== undefined)
      expect(links).toHaveLength(mine.cancelled.status === 200 ? 0 : 1)
      // The second person never becomes the first one of another proposal unasked.
      expect(byRequest.body.proposal ?? null).toBeNull()
      if (links[0] === undefined) continue
      const code = recoveryQueryOf(links[0]).get('code')
      const set = { code, newPassword: 'battery staple 9', confirmPassword: 'battery staple 9' }
      const complete = (firstCode?: string) =>
        call(venue.app, 'POST', '/auth/recoveries/complete', { body: { ...set, firstCode } })
      expect((await complete()).fields).toEqual({ firstCode: 'REQUIRED' })
      expect((await complete(first.firstCode)).status).toBe(200)
    }
  })

  async function forgotten(): Promise<string> {
    const member = await venue.registerMember()
    const body = { kind: 'login', account: member.account, phone: member.phone }
    await call(venue.app, 'POST', '/auth/recoveries', { body })
    await venue.passwordRecovery.deliver(fence)
    const { rows } = await database.pool.query<{ id: string }>(
      'SELECT id FROM password_request WHERE member_id = $1 AND recovery',
      [member.id],
    )
    return `/password-requests/${rows[0]!.id}`
  }
})
