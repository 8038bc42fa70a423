import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import type { QueueItem } from '../../../../contract/office/queues.ts'
import { formatMoney, moneyOf } from '../../../../contract/money.ts'
import { minor } from '../../../../contract/units.ts'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { Assets } from '../../../../contract/ledger.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { newestFlush, post } from '../../../scenarios/safety/attackParts.ts'
import type { ListAnswer, MemberClient } from '../../../support/apiCalls.ts'
import { leadDatabase } from '../../../support/ledDatabase.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { createStaff, openAndApprove, type StaffClient } from '../../../support/staffClient.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'
import { withDatabase } from '../../../support/withVenue.ts'

type Decided = {
  status: string
  approvedBy: string | null
  awaitsSecondPerson: boolean
  confirmedBy: string | null
  proposal: Proposal | null
}
/** Up to 1000.00 of one member and 2500.00 in all one person decides alone. */
const fields = { fourEyesAbove: '1000.00', fourEyesAboveInAll: '2500.00' }

const postgres = await withPostgres('sums_of_one_person')

postgres.describe('on PostgreSQL', () => decideAlone(async () => postgres.database()))
describe('embedded', async () => {
  const database = await withDatabase()
  decideAlone(async () => database)
})

/** What one person has decided alone in 24 hours. */
function decideAlone(open: () => Promise<Database>): void {
  let database: Database
  let venue: TestVenue
  let ada: StaffClient
  let bo: StaffClient
  beforeAll(async () => {
    database = await open()
    const fence = await leadDatabase(database)
    venue = await openTestVenue(database, { fence, asRoles: true, operatorConfig: fields })
    bo = await createStaff(venue, 'finance', 'bo')
  })
  /** Somebody who has decided nothing yet. */
  const newPerson = async () => (ada = await createStaff(venue, 'finance'))
  afterAll(async () => {
    await venue.close()
  })

  const withdraw = async (member: MemberClient, amount: string): Promise<string> =>
    (await member.post<Withdrawal>('/withdrawals', { amount, transactionPassword })).body.id
  const approve = (who: StaffClient, id: string) => openAndApprove<Decided>(who, `/withdrawals/${id}`)
  const pay = async (who: StaffClient, id: string) => {
    await who.get(`/withdrawals/${id}`)
    return who.post(`/withdrawals/${id}/pay`, { reference: id })
  }
  const deposit = async (member: MemberClient, amount: string, hasProof = true): Promise<string> => {
    const proofUploadId = hasProof ? await venue.upload(member, 'deposit_proof') : undefined
    const form = { methodId: 'practice-review', amount, ...(hasProof && { proofUploadId }) }
    return (await member.post<Deposit>('/deposits', form)).body.id
  }
  const credit = (who: StaffClient, id: string) => openAndApprove<Decided>(who, `/deposits/${id}`)
  /** As if by orders: no trigger looks. */
  const lose = ({ id: member }: MemberClient, amount: number) => {
    const lost = { available: -amount, house: amount, pnl: -amount }
    return database.owner.query(`BEGIN; SET LOCAL session_replication_role = replica;
      ${post({ member, type: 'stake', kind: 'order', ref: 'lost', ...lost }).replaceAll(newestFlush, '1')};
      COMMIT`)
  }
  const aDayLater = () =>
    database.owner.query(`ALTER TABLE lone_decision DISABLE TRIGGER lone_decision_append_only;
      UPDATE lone_decision SET at = at - 86400001;
      ALTER TABLE lone_decision ENABLE TRIGGER lone_decision_append_only`)

  it('counts withdrawals in pieces: of one member, and in all', async () => {
    await newPerson()
    const member = await venue.createVerifiedMember(minor(500_000))
    const pieces = [await withdraw(member, '600.00'), await withdraw(member, '400.00')]
    for (const id of pieces) expect((await approve(ada, id)).body).toMatchObject({ proposal: null })
    const next = await withdraw(member, '0.01')
    expect((await approve(ada, next)).body).toMatchObject({
      approvedBy: null,
      proposal: { proposedBy: ada.staff.name },
    })
    expect((await approve(bo, next)).body).toMatchObject({ approvedBy: 'bo' })

    const others = [await venue.createVerifiedMember(), await venue.createVerifiedMember()]
    const [second, third] = [await withdraw(others[0]!, '1000.00'), await withdraw(others[1]!, '500.01')]
    expect((await approve(ada, second)).body.proposal).toBeNull()
    expect((await approve(ada, third)).body.proposal).not.toBeNull()
    await aDayLater()
    expect((await approve(ada, await withdraw(member, '1000.00'))).body.proposal).toBeNull()
  })

  it('shows the sums by which it decides: what waits for a second person stands apart, and near is said before', async () => {
    await newPerson()
    const [member, another] = [
      await venue.createVerifiedMember(minor(500_000)),
      await venue.createVerifiedMember(minor(500_000)),
    ]
    const shown = async (who: StaffClient, id: string) => {
      const { body } = await who.get(`/withdrawals/${id}`)
      expect(officeRoutes.withdrawals.show.answer.parse(body)).toEqual(body)
      return { ...(body['alone'] as object), takesTwo: body['takesTwo'] }
    }
    const nothing = { count: 0, amount: '0.00' }
    const first = await withdraw(member, '600.00')
    const limits = { above: '1000.00', aboveInAll: '2500.00' }
    const none = { ofMember: '0.00', inAll: '0.00', waiting: nothing, ...limits }
    expect(await shown(ada, first)).toEqual({ ...none, state: 'below', nearer: 'ofMember', takesTwo: false })
    await approve(ada, first)
    const one = { ...none, ofMember: '600.00', inAll: '600.00', takesTwo: false }
    // 800.00 with what was approved is near.
    const near = await withdraw(member, '200.00')
    expect(await shown(ada, near)).toEqual({ ...one, state: 'near', nearer: 'ofMember' })
    const large = await withdraw(member, '400.01')
    expect(await shown(ada, large)).toEqual({ ...one, state: 'above', nearer: 'ofMember', takesTwo: true })
    // Of the member alone, a day's requests are near to a person who has decided none of them.
    expect(await shown(bo, near)).toMatchObject({ ofMember: '0.00', state: 'day' })
    await approve(ada, large)
    const waiting = { count: 1, amount: '400.01' }
    expect(await shown(ada, near)).toEqual({ ...one, waiting, state: 'near', nearer: 'ofMember' })
    // For the second person the amount counts alone.
    expect(await shown(bo, large)).toMatchObject({ state: 'day', takesTwo: false })
    for (const [amount, state] of [
      ['900.00', 'near'],
      ['1000.00', 'near'],
    ] as const) {
      const id = await withdraw(another, amount)
      expect([amount, await shown(ada, id)]).toMatchObject([amount, { ofMember: '0.00', state }])
      await venue.withdrawals.office.reject(id, 'x', 'x')
    }
    await approve(ada, await withdraw(another, '1000.00'))
    expect(await shown(ada, await withdraw(await venue.createVerifiedMember(), '500.00'))).toMatchObject({
      ofMember: '0.00',
      inAll: '1600.00',
      state: 'near',
      nearer: 'inAll',
    })
  })

  it('counts what is paid by who approved it alone, and not what another one approved', async () => {
    await newPerson()
    const member = await venue.createVerifiedMember(minor(500_000))
    const [first, second] = [await withdraw(member, '600.00'), await withdraw(member, '600.00')]
    await approve(ada, first)
    await aDayLater()
    await approve(ada, second)
    expect((await pay(ada, second)).status).toBe(200)
    expect(await pay(ada, first)).toMatchObject({ status: 403, code: 'SECOND_PERSON' })
    expect((await pay(bo, first)).status).toBe(200)
  })

  it('counts deposits with withdrawals, and credits what takes two so that it can be traded with only', async () => {
    await newPerson()
    const member = await venue.createVerifiedMember(minor(10_000))
    const withProof = await deposit(member, '700.00')
    expect((await credit(ada, withProof)).body).toMatchObject({ awaitsSecondPerson: false, proposal: null })
    expect((await approve(ada, await withdraw(member, '300.01'))).body.proposal).not.toBeNull()

    const id = await deposit(member, '400.00')
    await ada.post('/queues/deposits/claim', { item: id })
    const credited = await credit(ada, id)
    expect(officeRoutes.deposits.approve.answer.parse(credited.body)).toEqual(credited.body)
    expect(credited.body).toMatchObject({
      status: 'successful',
      awaitsSecondPerson: true,
      proposal: { act: 'deposits.approve', proposedBy: ada.staff.name },
    })
    expect(await credit(ada, id)).toMatchObject({ status: 403, code: 'SECOND_PERSON' })
    expect((await member.get<Assets>('/me/assets')).body).toMatchObject({ available: '899.99' })
    const bound = await member.get('/withdrawal-account')
    expect(bound.body).toMatchObject({ awaiting: { amount: '400.00', lowestPnl: '0.00' } })
    const asked = { amount: '500.00', transactionPassword }
    expect(await member.post('/withdrawals', asked)).toMatchObject({
      status: 422,
      code: 'AWAITS_SECOND_PERSON',
      params: { withdrawable: '499.99' },
    })
    const { body } = await bo.get<ListAnswer<QueueItem>>('/queues/deposits')
    expect(body.items).toMatchObject([{ id, proposedBy: ada.staff.name }])

    expect((await credit(bo, id)).body).toMatchObject({ awaitsSecondPerson: false, confirmedBy: 'bo' })
    expect((await credit(bo, id)).code).toBe('CONFLICT')
    expect((await bo.get<ListAnswer<QueueItem>>('/queues/deposits')).body.items).toEqual([])
    expect((await member.get('/withdrawal-account')).body).toMatchObject({ awaiting: null })
    expect((await member.post('/withdrawals', asked)).status).toBe(201)
    expect((await member.get<Assets>('/me/assets')).body).toMatchObject({ available: '399.99' })
  })

  it('keeps a deposit from being withdrawn, whatever is lost before it or after it', async () => {
    await newPerson()
    const member = await venue.createVerifiedMember(minor(100_000))
    const [first, second] = [await deposit(member, '10.00', false), await deposit(member, '500.00', false)]
    await credit(ada, first)
    await lose(member, 20_000)
    await credit(ada, second)
    await lose(member, 30_000)
    expect((await member.get('/withdrawal-account')).body).toMatchObject({
      awaiting: { amount: '510.00', lowestPnl: '-500.00' },
    })
    // What was lost was the member's own.
    const asked = { amount: '500.01', transactionPassword }
    const refused = { status: 422, code: 'AWAITS_SECOND_PERSON', params: { withdrawable: '500.00' } }
    expect(await member.post('/withdrawals', asked)).toMatchObject(refused)
    // Won back with a deposit that may never come, it waits too.
    await lose(member, -40_000)
    expect(await member.post('/withdrawals', asked)).toMatchObject(refused)
    expect((await member.post('/withdrawals', { ...asked, amount: '500.00' })).status).toBe(201)
  })

  it('keeps a deposit from the fund, where nobody could take it back', async () => {
    await newPerson()
    const member = await venue.createVerifiedMember(minor(100_000))
    await credit(ada, await deposit(member, '500.00', false))
    expect(await member.post('/fund/deposits', { amount: '1000.01' })).toMatchObject({
      status: 422,
      code: 'AWAITS_SECOND_PERSON',
      params: { withdrawable: '1000.00' },
    })
    expect((await member.post('/fund/deposits', { amount: '1000.00' })).status).toBe(201)
    // Practice money that is reset is not the deposit.
    const reset = await member.post<Assets>('/practice/reset')
    expect(reset.status).toBe(200)
    const { available } = reset.body
    const withdrawable = formatMoney(minor(moneyOf(available) - 50_000))
    expect(await member.post('/withdrawals', { amount: available, transactionPassword })).toMatchObject({
      params: { withdrawable },
    })
  })

  it('is refused by the database too, as the venue refuses it', async () => {
    await newPerson()
    const member = await venue.createVerifiedMember(minor(10_000))
    await credit(ada, await deposit(member, '10.00', false))
    for (const [table, path] of [
      ['withdrawal', '/withdrawals'],
      ['fund_record', '/fund/deposits'],
    ] as const) {
      await database.owner.query(`
        CREATE FUNCTION spend_meanwhile() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET session_replication_role = replica AS $$
        BEGIN UPDATE balance SET available = 999 WHERE member_id = NEW.member_id; RETURN NULL; END $$;
        CREATE TRIGGER spend_meanwhile AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION spend_meanwhile()`)
      const asked = { amount: '10.00', ...(table === 'withdrawal' && { transactionPassword }) }
      const answer = await member.post(path, asked)
      await database.owner.query('DROP FUNCTION spend_meanwhile() CASCADE')
      expect(answer).toMatchObject({ status: 422, code: 'AWAITS_SECOND_PERSON' })
      expect((await member.post(path, asked)).status).toBe(201)
    }
  })

  it('takes two persons for a deposit without proof at any amount, and never the key', async () => {
    await newPerson()
    const member = await venue.createMember(minor(0))
    const id = await deposit(member, '1.00', false)
    expect(await venue.office('POST', `/deposits/${id}/approve`, { as: 'carl' })).toMatchObject({
      status: 403,
      code: 'SECOND_PERSON',
    })
    expect((await credit(ada, id)).body).toMatchObject({ awaitsSecondPerson: true })
    const { body } = await ada.get<{ proposal: Proposal }>(`/deposits/${id}`)
    expect(officeRoutes.deposits.show.answer.parse(body)).toEqual(body)
    // Taken back or declined, it waits on.
    await bo.post(`/proposals/${body.proposal.id}/decline`, { reason: 'Nothing came' })
    expect((await member.get('/withdrawal-account')).body).toMatchObject({ awaiting: { amount: '1.00' } })
    expect((await credit(bo, id)).body.proposal).toMatchObject({ proposedBy: 'bo' })
    expect((await credit(ada, id)).body).toMatchObject({ awaitsSecondPerson: false })
  })

  it('lets no two approvals at once pass together', async () => {
    for (let round = 0; round < 8; round += 1) {
      await newPerson()
      const member = await venue.createVerifiedMember(minor(200_000))
      const ids = [await withdraw(member, '600.00'), await withdraw(member, '600.00')]
      const deposits = [await deposit(member, '600.00'), await deposit(member, '600.00')]
      await Promise.all([...ids.map((id) => approve(ada, id)), ...deposits.map((id) => credit(ada, id))])
      const { rows } = await database.owner.query(
        `SELECT (SELECT count(*) FROM withdrawal WHERE member_id = $1 AND approved_at IS NOT NULL)
          + (SELECT count(*) FROM deposit WHERE member_id = $1 AND status = 'successful' AND NOT awaits_second) AS alone`,
        [member.id],
      )
      expect(rows).toEqual([{ alone: 1 }])
    }
  })
}
