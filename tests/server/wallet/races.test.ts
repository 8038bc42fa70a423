import { afterAll, beforeAll, expect, it } from 'vitest'
import { minor } from '../../../contract/brand.ts'
import type { Assets, LedgerEntry } from '../../../contract/ledger.ts'
import type { Deposit } from '../../../contract/deposits.ts'
import type { Withdrawal } from '../../../contract/withdrawals.ts'
import type { MemberClient } from '../../support/testVenue.ts'
import { withPostgres } from '../../support/postgres.ts'
import { openWalletVenue, photo, transactionPassword } from '../../support/walletVenue.ts'
import type { WalletVenue } from '../../support/walletVenue.ts'

const postgres = await withPostgres('wallet_races')
const asked = { amount: '10.00', transactionPassword }

postgres.describe('races on PostgreSQL', () => {
  let venue: WalletVenue
  let live: WalletVenue
  beforeAll(async () => {
    venue = await openWalletVenue(postgres.database())
    live = await openWalletVenue(postgres.database(), { live: true })
  })
  afterAll(async () => {
    expect(await venue.ledgerSum()).toBe(0)
    await venue.close()
    await live.close()
  })
  const assets = async (member: MemberClient): Promise<Assets> =>
    (await member.get<Assets>('/me/assets')).body
  const times = <T>(n: number, ask: (i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: n }, (_, i) => ask(i)))

  it('20 parallel withdrawals of 10.00 on 100.00: exactly 10', async () => {
    for (let round = 0; round < 3; round++) {
      const member = await venue.createVerifiedMember(minor(10_000))
      const replies = await times(20, () => member.post<Withdrawal>('/withdrawals', asked))
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(10)
      expect(replies.filter(({ code }) => code === 'INSUFFICIENT_BALANCE')).toHaveLength(10)
      expect(await assets(member)).toMatchObject({ available: '0.00', held: '100.00', version: 11 })
    }
  })

  it('approve, reject and cancel at once: exactly one of them', async () => {
    for (let round = 0; round < 12; round++) {
      const member = await venue.createVerifiedMember(minor(10_000))
      const { id } = (await member.post<Withdrawal>('/withdrawals', asked)).body
      const { backOffice: desk } = venue.withdrawals
      const moves = [
        () =>
          desk.approve(id, 'mei').then(
            () => 'paid',
            () => null,
          ),
        () =>
          desk.reject(id, 'no', 'tom').then(
            () => 'refused',
            () => null,
          ),
        () =>
          member
            .post(`/withdrawals/${id}/cancel`)
            .then(({ status }) => (status === 200 ? 'cancelled' : null)),
      ]
      const rotated = times(6, (i) => moves[(i + round) % 3]!())
      const won = (await rotated).filter((end) => end !== null)
      expect(won).toHaveLength(1)
      const shown = await desk.show(id)
      expect(shown.timeline.map(({ step }) => step)).toEqual(['requested', won[0]])
      expect(shown.version).toBe(2)
      const available = won[0] === 'paid' ? '90.00' : '100.00'
      expect(await assets(member)).toMatchObject({ available, held: '0.00', version: 3 })
    }
  })

  it('one key 10 times in parallel: one withdrawal', async () => {
    const member = await venue.createVerifiedMember(minor(10_000))
    const key = venue.random.uuid()
    const replies = await times(10, () => member.post('/withdrawals', asked, key))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(await assets(member)).toMatchObject({ held: '10.00' })
  })

  it('withdrawals and resets mixed keep the books', async () => {
    const member = await venue.createVerifiedMember(minor(5_000))
    await times(20, (i) =>
      i % 4 === 0 ? member.post('/practice/reset') : member.post('/withdrawals', asked),
    )
    const { items } = (await member.get<{ items: LedgerEntry[] }>('/me/ledger?limit=100')).body
    const now = await assets(member)
    expect(items[0]!.balanceAfter).toBe(now.available)
    expect(items).toHaveLength(now.version)
  })

  it('a deposit decided ten times at once: credited once, and its proof used once', async () => {
    const member = await live.createMemberWithPassword(minor(0))
    const proofUploadId = await live.upload(member, 'deposit_proof', await photo())
    const form = { methodId: 'bank-1', amount: '100.00', proofUploadId }
    const replies = await times(5, () => member.post<Deposit>('/deposits', form))
    const taken = replies.filter(({ status }) => status === 201)
    expect(taken).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(4)
    const { id } = taken[0]!.body
    const { backOffice: desk } = live.deposits
    const decided = await times(10, (i) =>
      (i % 2 === 0 ? desk.approve(id, 'mei') : desk.reject(id, 'no', 'mei')).then(
        ({ status }) => status,
        () => null,
      ),
    )
    const won = decided.filter((status) => status !== null)
    expect(won).toHaveLength(1)
    expect((await assets(member)).available).toBe(won[0] === 'successful' ? '100.00' : '0.00')
  })

  it('verification: submitted and decided at once', async () => {
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
    const replies = await times(4, (i) => member.send('POST', '/verification', forms[i]))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
    const { backOffice: desk } = venue.verifications
    const decided = await times(6, (i) =>
      (i % 2 === 0 ? desk.approve(member.id, 'mei') : desk.reject(member.id, 'no', 'mei')).then(
        () => 1,
        () => 0,
      ),
    )
    expect(decided.filter((one) => one === 1)).toHaveLength(1)
  })
})
