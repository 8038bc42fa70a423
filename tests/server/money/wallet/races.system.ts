import { afterAll, beforeAll, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import type { Assets, LedgerEntry } from '../../../../contract/ledger.ts'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import { withPostgres } from '../../../support/postgres.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { photo } from '../../../support/uploads.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'
import { ledgerSum } from '../../../support/ledgerSum.ts'

const postgres = await withPostgres('wallet_races')
const request = { amount: '10.00', transactionPassword }

postgres.describe('races on PostgreSQL', () => {
  let venue: TestVenue
  let live: TestVenue
  beforeAll(async () => {
    venue = await openTestVenue(postgres.database())
    live = await openTestVenue(postgres.database(), { live: true })
  })
  afterAll(async () => {
    expect(await ledgerSum(venue.database)).toBe(0)
    await venue.close()
    await live.close()
  })
  const assets = async (member: MemberClient): Promise<Assets> =>
    (await member.get<Assets>('/me/assets')).body
  const runConcurrently = <T>(n: number, run: (i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: n }, (_, i) => run(i)))

  it('accepts exactly 5 of 20 concurrent withdrawals of 20.00 with 100.00', async () => {
    for (let round = 0; round < 3; round++) {
      const member = await venue.createVerifiedMember(minor(10_000))
      const larger = { ...request, amount: '20.00' }
      const replies = await runConcurrently(20, () => member.post<Withdrawal>('/withdrawals', larger))
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(5)
      expect(replies.filter(({ code }) => code === 'INSUFFICIENT_BALANCE')).toHaveLength(15)
      expect(await assets(member)).toMatchObject({ available: '0.00', held: '100.00', version: 6 })
    }
  })

  it('lets exactly one of concurrent approve, reject and cancel succeed', async () => {
    for (let round = 0; round < 12; round++) {
      const member = await venue.createVerifiedMember(minor(10_000))
      const { id } = (await member.post<Withdrawal>('/withdrawals', request)).body
      const { office } = venue.withdrawals
      const actions = [
        () =>
          office.approveAndPay(id, 'mei').then(
            () => 'paid',
            () => null,
          ),
        () =>
          office.reject(id, 'no', 'tom').then(
            () => 'refused',
            () => null,
          ),
        () =>
          member
            .post(`/withdrawals/${id}/cancel`)
            .then(({ status }) => (status === 200 ? 'cancelled' : null)),
      ]
      const rotated = runConcurrently(6, (i) => actions[(i + round) % 3]!())
      const succeeded = (await rotated).filter((end) => end !== null)
      expect(succeeded).toHaveLength(1)
      const withdrawal = await office.show(id)
      expect(withdrawal.timeline.map(({ step }) => step)).toEqual(['requested', succeeded[0]])
      expect(withdrawal.version).toBe(2)
      const available = succeeded[0] === 'paid' ? '90.00' : '100.00'
      expect(await assets(member)).toMatchObject({ available, held: '0.00', version: 3 })
    }
  })

  it('places one withdrawal for 10 concurrent requests with one key', async () => {
    const member = await venue.createVerifiedMember(minor(10_000))
    const key = venue.random.uuid()
    const replies = await runConcurrently(10, () => member.post('/withdrawals', request, key))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(await assets(member)).toMatchObject({ held: '10.00' })
  })

  it('keeps the ledger consistent with concurrent withdrawals and resets', async () => {
    const member = await venue.createVerifiedMember(minor(5_000))
    await runConcurrently(20, (i) =>
      i % 4 === 0 ? member.post('/practice/reset') : member.post('/withdrawals', request),
    )
    const { items } = (await member.get<{ items: LedgerEntry[] }>('/me/ledger?limit=100')).body
    const now = await assets(member)
    expect(items[0]!.balanceAfter).toBe(now.available)
    expect(items).toHaveLength(now.version)
  })

  it('credits a deposit once for ten concurrent decisions, and uses its proof once', async () => {
    const member = await live.createMember(minor(0))
    const proofUploadId = await live.upload(member, 'deposit_proof', await photo())
    const form = { methodId: 'bank-1', amount: '100.00', proofUploadId }
    const replies = await runConcurrently(5, () => member.post<Deposit>('/deposits', form))
    const accepted = replies.filter(({ status }) => status === 201)
    expect(accepted).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(4)
    const { id } = accepted[0]!.body
    const { office } = live.deposits
    const decided = await runConcurrently(10, (i) =>
      (i % 2 === 0 ? office.approve(id, 'mei') : office.reject(id, 'no', 'mei')).then(
        ({ status }) => status,
        () => null,
      ),
    )
    const succeeded = decided.filter((status) => status !== null)
    expect(succeeded).toHaveLength(1)
    expect((await assets(member)).available).toBe(succeeded[0] === 'successful' ? '100.00' : '0.00')
  })

  it('accepts one of concurrent verification submissions and one decision', async () => {
    const member = await venue.createMember()
    const person = { name: '金丝雀', idNumber: '11010519491231002X', nationality: 'CN' }
    const forms: object[] = []
    for (let i = 0; i < 4; i++) {
      forms.push({
        ...person,
        frontUploadId: await venue.upload(member, 'id_front'),
        backUploadId: await venue.upload(member, 'id_back'),
      })
    }
    const replies = await runConcurrently(4, (i) => member.send('POST', '/verification', forms[i]))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
    const { office } = venue.verifications
    const decided = await runConcurrently(6, (i) =>
      (i % 2 === 0 ? office.approve(member.id, 'mei') : office.reject(member.id, 'no', 'mei')).then(
        () => 1,
        () => 0,
      ),
    )
    expect(decided.filter((count) => count === 1)).toHaveLength(1)
  })
})
