import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import type { Assets, LedgerEntry } from '../../../../contract/ledger.ts'
import { moneyOf } from '../../../../contract/money.ts'
import { minor } from '../../../../contract/units.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import { takesTwoPersons } from '../../../../server/platform/db/errors.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { newestFlush, post } from '../../../scenarios/safety/attackParts.ts'
import type { ListAnswer, MemberClient } from '../../../support/apiCalls.ts'
import { leadDatabase } from '../../../support/ledDatabase.ts'
import { withPostgres } from '../../../support/postgres.ts'
import {
  createStaff,
  openAndApprove,
  openAndConfirm,
  type StaffClient,
} from '../../../support/staffClient.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

type Decided = { proposal: Proposal | null }

const rounds = 8
const reason = 'It never came'
const postgres = await withPostgres('reversal_races')

/** A credited deposit that two persons take back, while others decide about it or move the money. */
postgres.describe('a deposit that is taken back', () => {
  let database: Database
  let venue: TestVenue
  let ada: StaffClient
  let bo: StaffClient
  let cy: StaffClient
  beforeAll(async () => {
    database = postgres.database()
    const fence = await leadDatabase(database)
    venue = await openTestVenue(database, { fence, asRoles: true })
    ada = await createStaff(venue, 'finance', 'ada')
    bo = await createStaff(venue, 'finance', 'bo')
    cy = await createStaff(venue, 'finance', 'cy')
  })
  afterAll(async () => {
    await venue.close()
  })

  /** 100.00 of the member's own, and 500.00 that one credited and another declined. */
  async function creditAndDecline() {
    const member = await venue.createVerifiedMember(minor(10_000))
    const form = { methodId: 'practice-review', amount: '500.00' }
    const { id } = (await member.post<Deposit>('/deposits', form)).body
    const { proposal } = (await openAndApprove<Decided>(ada, `/deposits/${id}`)).body
    await bo.post(`/proposals/${proposal!.id}/decline`, { reason })
    for (const who of [ada, bo, cy]) await who.get(`/deposits/${id}`)
    return { member, path: `/deposits/${id}` }
  }
  const propose = async (path: string): Promise<Proposal> =>
    (await bo.post<Decided>(`${path}/reject`, { reason })).body.proposal!
  /** As an order does: no trigger looks. The balance refuses what is not there. */
  const stake = ({ id: member }: MemberClient, amount: number): Promise<boolean> => {
    const legs = { available: -amount, stakes: amount }
    return database.owner
      .query(
        `BEGIN; SET LOCAL session_replication_role = replica;
         ${post({ member, type: 'stake', kind: 'order', ref: 'x', ...legs }).replaceAll(newestFlush, '1')}; COMMIT`,
      )
      .then(() => true)
      .catch(() => database.owner.query('ROLLBACK').then(() => false))
  }
  const reversalsOf = async (member: MemberClient) =>
    (await member.get<ListAnswer<LedgerEntry>>('/me/ledger')).body.items.filter(
      ({ type }) => type === 'deposit_reversed',
    ).length

  it('is taken back by two in the database too, and so is a withdrawal that two approved rejected', async () => {
    const { path } = await creditAndDecline()
    await propose(path)
    const { deposits, withdrawals } = venue
    const idOf = (address: string): string => address.split('/').at(-1) ?? ''
    const alone = deposits.office.reverse(idOf(path), reason, 'cy', async () => undefined)
    expect(await alone.catch(takesTwoPersons)).toBe(true)

    const member = await venue.createVerifiedMember(minor(500_000))
    const form = { amount: '2000.00', transactionPassword }
    const { id } = (await member.post<Withdrawal>('/withdrawals', form)).body
    const approved = (await openAndApprove<Decided>(ada, `/withdrawals/${id}`)).body.proposal
    expect((await openAndConfirm(bo, approved!)).status).toBe(200)
    expect(await withdrawals.office.reject(id, reason, 'cy').catch(takesTwoPersons)).toBe(true)
  })

  it('is taken back once, whoever confirms it at once', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { member, path } = await creditAndDecline()
      const proposal = await propose(path)
      const answers = await Promise.all(
        [ada, cy, ada].map((who) => openAndConfirm(who, proposal).then(({ status }) => status)),
      )
      expect(answers.filter((status) => status === 200)).toHaveLength(1)
      expect((await member.get<Assets>('/me/assets')).body.available).toBe('100.00')
      expect(await reversalsOf(member)).toBe(1)
    }
  })

  it('is either approved again or rejected', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { path } = await creditAndDecline()
      const both = await Promise.all([
        cy.post<Decided>(`${path}/approve`),
        bo.post<Decided>(`${path}/reject`, { reason }),
      ])
      expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    }
  })

  it('leaves the member what is the member’s, and never less than nothing', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { member, path } = await creditAndDecline()
      const proposal = await propose(path)
      await ada.get(path)
      const own = { amount: '100.00', transactionPassword }
      const [confirmed] = await Promise.all([
        openAndConfirm(ada, proposal),
        round % 2 === 0
          ? member.post('/withdrawals', own)
          : member.post('/fund/deposits', { amount: '100.00' }),
        member.post('/withdrawals', { ...own, amount: '100.01' }),
      ])
      expect(confirmed.status).toBe(200)
      const { available, held, fund } = (await member.get<Assets>('/me/assets')).body
      expect([moneyOf(available), moneyOf(held) + moneyOf(fund)]).toEqual([0, 10_000])
    }
  })

  it('is there before an order, or is held by it and stays', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { member, path } = await creditAndDecline()
      const proposal = await propose(path)
      const [{ status, code }, isStaked] = await Promise.all([
        openAndConfirm(ada, proposal),
        stake(member, 60_000),
      ])
      expect([status, code]).toEqual(isStaked ? [409, 'OPEN_ORDERS'] : [200, undefined])
      expect((await member.get<Assets>('/me/assets')).body).toMatchObject(
        isStaked ? { available: '0.00', openStakes: '600.00' } : { available: '100.00' },
      )
    }
  })
})
