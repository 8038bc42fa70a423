import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
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
type Confirmed = { result: Approved }

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

  describe('a forgotten password that is taken back while another person confirms it', () => {
    const ways = ['the same call', 'its proposal'] as const
    type Way = (typeof ways)[number]
    /** What one person proposes and the other one sees, and what each does with it. */
    async function propose() {
      const path = await forgotten()
      await sue.get(path)
      const approve = (who: StaffClient) => who.post<Approved>(`${path}/approve`, { called: true })
      const first = (await approve(sue)).body
      const proposed = `/proposals/${first.proposal!.id}`
      await ann.get(path)
      return {
        id: path.split('/').at(-1)!,
        first,
        approve,
        cancel: () => sue.post(`${proposed}/cancel`),
        confirm: async (way: Way) => {
          const { code, body } =
            way === 'the same call' ? await approve(ann) : await ann.post<Confirmed>(`${proposed}/confirm`)
          const { link, proposal }: Partial<Approved> = 'result' in body ? body.result : body
          return { code, link, proposal }
        },
      }
    }
    /** Locks a row until it is released. */
    async function hold(lock: string) {
      const holder = await database.pool.connect()
      onTestFinished(() => holder.release(true))
      await holder.query(`BEGIN; ${lock}`)
      return () => holder.query('COMMIT')
    }
    const waiting = (count: number) => expect.poll(() => countLockWaits(database)).toBe(count)
    const refused = { code: 'CONFLICT', link: undefined, proposal: undefined }

    it.each(ways)('leaves a link with its code if it is confirmed first: by %s', async (way) => {
      const { first, cancel, confirm } = await propose()
      const release = await hold(`SELECT FROM proposal WHERE id = '${first.proposal!.id}' FOR UPDATE`)
      const confirmed = confirm(way)
      await waiting(1)
      const again = confirm(ways.find((other) => other !== way)!)
      await waiting(2)
      const cancelled = cancel()
      await waiting(3)
      await release()
      const { link } = await confirmed
      expect([(await again).code, (await cancelled).code]).toEqual(['CONFLICT', 'CONFLICT'])
      const code = recoveryQueryOf(link).get('code')
      const set = { code, newPassword: 'battery staple 9', confirmPassword: 'battery staple 9' }
      const complete = (firstCode?: string) =>
        call(venue.app, 'POST', '/auth/recoveries/complete', { body: { ...set, firstCode } })
      expect((await complete()).fields).toEqual({ firstCode: 'REQUIRED' })
      expect((await complete(first.firstCode)).status).toBe(200)
    })

    it('leaves nothing if it is taken back first, also if it is proposed again before the other one goes on', async () => {
      const { id, approve, cancel, confirm } = await propose()
      const release = await hold(`SELECT FROM password_request WHERE id = '${id}' FOR SHARE`)
      const confirmed = ways.map((way) => confirm(way))
      await waiting(2)
      expect((await cancel()).status).toBe(200)
      const next = (await approve(sue)).body.proposal!
      await release()
      expect(await Promise.all(confirmed)).toEqual([refused, refused])
      expect((await ann.get(`/password-requests/${id}`)).body).toMatchObject({ proposal: { id: next.id } })
    })

    it('makes nobody the first person of another proposal unasked: it is over when the same call looks for it', async () => {
      const { id, first, confirm } = await propose()
      const { owner } = database
      onTestFinished(() => owner.query('ROLLBACK').then(() => undefined))
      // The call reads the act log between the request, as the person saw it, and the proposal that it confirms.
      await owner.query('BEGIN; LOCK TABLE audit IN ACCESS EXCLUSIVE MODE')
      const confirmed = confirm('the same call')
      await waiting(1)
      await owner.query(
        `SET LOCAL session_replication_role = replica;
         UPDATE proposal SET status = 'cancelled', decided_by = 'sue', decided_at = ${venue.clock.now()}
         WHERE id = '${first.proposal!.id}'; COMMIT`,
      )
      expect(await confirmed).toEqual(refused)
      expect((await ann.get(`/password-requests/${id}`)).body).toMatchObject({ proposal: null })
    })
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
