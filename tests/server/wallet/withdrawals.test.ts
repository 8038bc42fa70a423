import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../../../contract/content.ts'
import type { Assets, LedgerEntry } from '../../../contract/ledger.ts'
import { withdrawalRoutes } from '../../../contract/withdrawals.ts'
import type { Withdrawal } from '../../../contract/withdrawals.ts'
import type { Database } from '../../../server/db/open.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import { member as memberTable } from '../../../server/db/schema/member.ts'
import type { MemberClient } from '../../support/testVenue.ts'
import { bankAccount, openWalletVenue, transactionPassword } from '../../support/walletVenue.ts'
import type { WalletVenue } from '../../support/walletVenue.ts'

let database: Database
let venue: WalletVenue
beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openWalletVenue(database)
})
afterAll(async () => {
  expect(await venue.ledgerSum()).toBe(0)
  await venue.close()
  await database.close()
})
const asked = { amount: '100.00', transactionPassword }
const assets = async (member: MemberClient): Promise<Assets> => (await member.get<Assets>('/me/assets')).body
const listed = async (member: MemberClient): Promise<Withdrawal[]> =>
  (await member.get<{ items: Withdrawal[] }>('/withdrawals')).body.items
const withdraw = async (member: MemberClient): Promise<Withdrawal> => {
  const reply = await member.post<Withdrawal>('/withdrawals', asked)
  expect(reply.status).toBe(201)
  return reply.body
}
const verify = (member: MemberClient, verification: 'verified' | 'rejected' | 'under_review') =>
  venue.db.update(memberTable).set({ verification }).where(eq(memberTable.id, member.id))

describe('asking', () => {
  it('the amount is held at once', async () => {
    const member = await venue.createVerifiedMember()
    const body = await withdraw(member)
    expect(withdrawalRoutes.placeWithdrawal.answer.safeParse(body).success).toBe(true)
    expect(body).toMatchObject({
      amount: '100.00',
      status: 'under_review',
      reason: null,
      timeline: [{ at: venue.clock.now(), step: 'requested' }],
      account: { cardNumber: '6222****7890' },
      version: 1,
    })
    expect(body.no).toMatch(/^W-\d{6}-[0-9A-Z]{8}$/)
    expect(await assets(member)).toMatchObject({ available: '9900.00', held: '100.00', total: '10000.00' })
    expect(venue.bus.eventsFor(member.id, 'withdrawal')).toEqual([body])
    expect(venue.bus.eventsFor<LedgerEntry>(member.id, 'ledger')).toMatchObject([
      { type: 'withdrawal_hold', amount: '-100.00', balanceAfter: '9900.00' },
    ])
    expect(await listed(member)).toEqual([body])
  })

  it('refusals come in order: not bound, not verified, password, balance', async () => {
    const member = await venue.createMemberWithPassword()
    const wrong = { amount: '99999.00', transactionPassword: '000000' }
    const refusal = async (body: object): Promise<unknown[]> => {
      const { status, code } = await member.post('/withdrawals', body)
      return [status, code]
    }
    expect(await refusal(wrong)).toEqual([422, 'NOT_BOUND'])
    await member.send('POST', '/withdrawal-account', bankAccount)
    for (const state of ['under_review', 'rejected'] as const) {
      await verify(member, state)
      expect(await refusal(wrong)).toEqual([422, 'NOT_VERIFIED'])
    }
    await verify(member, 'verified')
    expect(await refusal({ ...asked, accountId: 'another' })).toEqual([422, 'NOT_BOUND'])
    expect(await refusal(wrong)).toEqual([422, 'TRANSACTION_PASSWORD_WRONG'])
    expect(await refusal({ ...wrong, transactionPassword })).toEqual([422, 'INSUFFICIENT_BALANCE'])
    expect(await assets(member)).toMatchObject({ available: '10000.00', held: '0.00', version: 1 })
    expect(await listed(member)).toEqual([])
    const { account } = (await member.get<{ account: { id: string } }>('/withdrawal-account')).body
    expect((await member.post('/withdrawals', { ...asked, accountId: account.id })).status).toBe(201)
  })

  it.each([
    ['', { amount: 'EMPTY' }],
    ['10', { amount: 'AMOUNT_FORMAT' }],
    ['-10.00', { amount: 'AMOUNT_FORMAT' }],
    ['0.00', { amount: 'AMOUNT_MIN' }],
    ['999999.01', { amount: 'AMOUNT_MAX' }],
  ])('the amount %j: 400', async (amount, fields) => {
    const member = await venue.createVerifiedMember()
    const reply = await member.post('/withdrawals', { amount, transactionPassword })
    expect([reply.status, reply.fields]).toEqual([400, fields])
  })

  it('a blank password is an empty value', async () => {
    const member = await venue.createVerifiedMember()
    const reply = await member.post('/withdrawals', { amount: '1.00', transactionPassword: ' ' })
    expect([reply.status, reply.fields]).toEqual([400, { transactionPassword: 'EMPTY' }])
  })

  it('a retry is the same withdrawal, a stored refusal stays one', async () => {
    const member = await venue.createVerifiedMember()
    const [key, bad] = [venue.random.uuid(), venue.random.uuid()]
    const first = await member.post('/withdrawals', asked, key)
    expect((await member.post('/withdrawals', asked, key)).text).toBe(first.text)
    expect((await assets(member)).held).toBe('100.00')
    const much = { ...asked, amount: '20000.00' }
    expect((await member.post('/withdrawals', much, bad)).code).toBe('INSUFFICIENT_BALANCE')
    const again = await member.post('/withdrawals', much, bad)
    expect([again.code, again.replayed]).toEqual(['INSUFFICIENT_BALANCE', true])
  })

  it('five wrong passwords lock it for an hour, also for the right one and also when sent at once', async () => {
    const member = await venue.createVerifiedMember()
    const wrong = { ...asked, transactionPassword: '111222' }
    const replies = await Promise.all(Array.from({ length: 8 }, () => member.post('/withdrawals', wrong)))
    expect(replies.map(({ code }) => String(code)).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'TRANSACTION_PASSWORD_LOCKED'),
      ...Array.from({ length: 5 }, () => 'TRANSACTION_PASSWORD_WRONG'),
    ])
    const locked = await member.post('/withdrawals', asked)
    expect([locked.status, locked.code]).toEqual([423, 'TRANSACTION_PASSWORD_LOCKED'])
    expect(locked.params).toEqual({ retryAfterMs: 3_600_000 })
    await venue.clock.advance(3_599_999)
    expect((await member.post('/withdrawals', asked)).params).toEqual({ retryAfterMs: 1 })
    await venue.clock.advance(1)
    expect((await member.post('/withdrawals', wrong)).code).toBe('TRANSACTION_PASSWORD_WRONG')
    expect((await member.post('/withdrawals', asked)).status).toBe(201)
    expect(await assets(member)).toMatchObject({ available: '9900.00', held: '100.00' })
  })

  it('a right password forgets the wrong ones', async () => {
    const member = await venue.createVerifiedMember()
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) {
        const reply = await member.post('/withdrawals', { ...asked, transactionPassword: '111222' })
        expect(reply.code).toBe('TRANSACTION_PASSWORD_WRONG')
      }
      expect((await member.post('/withdrawals', asked)).status).toBe(201)
    }
  })
})

describe('how it ends', () => {
  it('paid: the held amount leaves the books', async () => {
    const member = await venue.createVerifiedMember()
    const { id, no } = await withdraw(member)
    await venue.clock.advance(5)
    const paid = await venue.withdrawals.backOffice.approve(id, 'mei')
    expect(paid).toMatchObject({ status: 'successful', reason: null, version: 2, decidedBy: 'mei' })
    expect(paid.timeline.map(({ step }) => step)).toEqual(['requested', 'paid'])
    expect(await assets(member)).toMatchObject({ available: '9900.00', held: '0.00', total: '9900.00' })
    expect(venue.bus.eventsFor<Message>(member.id, 'message').at(-1)).toMatchObject({
      key: 'withdrawalSuccessful',
      params: { no, amount: '100.00' },
    })
  })

  it('refused: given back in the same transaction, with the reason', async () => {
    const member = await venue.createVerifiedMember()
    const { id } = await withdraw(member)
    await venue.withdrawals.backOffice.reject(id, 'Name does not match', 'mei')
    const [shown] = await listed(member)
    expect(shown).toMatchObject({ status: 'failed', reason: 'Name does not match', version: 2 })
    expect(shown!.timeline.map(({ step }) => step)).toEqual(['requested', 'refused'])
    expect(await assets(member)).toMatchObject({ available: '10000.00', held: '0.00' })
    expect(venue.bus.eventsFor<LedgerEntry>(member.id, 'ledger').at(-1)).toMatchObject({
      type: 'withdrawal_returned',
      amount: '100.00',
      balanceAfter: '10000.00',
    })
  })

  it('cancelled by the member', async () => {
    const member = await venue.createVerifiedMember()
    const { id } = await withdraw(member)
    const key = venue.random.uuid()
    const reply = await member.post<Withdrawal>(`/withdrawals/${id}/cancel`, undefined, key)
    expect([reply.status, reply.body.status, reply.body.reason]).toEqual([200, 'failed', 'CANCELLED'])
    expect(reply.body.timeline.map(({ step }) => step)).toEqual(['requested', 'cancelled'])
    expect((await member.post(`/withdrawals/${id}/cancel`, undefined, key)).text).toBe(reply.text)
    expect(await assets(member)).toMatchObject({ available: '10000.00', held: '0.00' })
    const again = await member.post(`/withdrawals/${id}/cancel`)
    expect([again.status, again.code]).toEqual([409, 'NOT_CANCELLABLE'])
  })

  it('whatever ended stays so: every other move is refused and changes nothing', async () => {
    const moves: [string, (member: MemberClient, id: string) => Promise<unknown>][] = [
      ['approve', (_, id) => venue.withdrawals.backOffice.approve(id, 'mei')],
      ['reject', (_, id) => venue.withdrawals.backOffice.reject(id, 'no', 'mei')],
      ['cancel', (member, id) => member.post(`/withdrawals/${id}/cancel`)],
    ]
    for (const [, end] of moves) {
      const member = await venue.createVerifiedMember()
      const { id } = await withdraw(member)
      await end(member, id)
      const before = [await assets(member), await listed(member)]
      for (const [name, move] of moves) {
        if (name === 'cancel')
          expect(await move(member, id)).toMatchObject({ status: 409, code: 'NOT_CANCELLABLE' })
        else await expect(move(member, id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' })
      }
      expect([await assets(member), await listed(member)]).toEqual(before)
    }
  })

  it('another member’s is not there', async () => {
    const [owner, stranger] = [await venue.createVerifiedMember(), await venue.createVerifiedMember()]
    const { id } = await withdraw(owner)
    expect((await stranger.post(`/withdrawals/${id}/cancel`)).status).toBe(404)
    expect((await stranger.post('/withdrawals/nothing/cancel')).status).toBe(404)
    expect(await listed(stranger)).toEqual([])
    expect((await listed(owner))[0]!.status).toBe('under_review')
    await expect(venue.withdrawals.backOffice.approve('nothing', 'mei')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('an exclusion and limits do not hold a withdrawal back', async () => {
    const member = await venue.createVerifiedMember()
    const excludedUntil = venue.clock.now() + 9e9
    await member.send('PUT', '/me/limits', {
      maxStake: '0.00',
      maxDailyLoss: '0.00',
      maxDailyDeposit: '0.00',
      excludedUntil,
    })
    expect((await member.post('/deposits', { methodId: 'practice', amount: '5.00' })).code).toBe('EXCLUDED')
    expect((await member.post('/withdrawals', asked)).status).toBe(201)
  })
})

it('nothing personal lies in plain text in the database', async () => {
  const member = await venue.createVerifiedMember()
  await withdraw(member)
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  )
  const dump: string[] = []
  for (const { name } of rows) {
    const table = await database.pool.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`)
    dump.push(...table.rows.map(({ row }) => row))
  }
  const text = dump.join('\n')
  const hex = (plain: string): string => Buffer.from(plain).toString('hex')
  for (const canary of [
    'Canary Accountname',
    '6222 0212',
    '62220212',
    '77 Canary Street',
    transactionPassword,
  ]) {
    expect(text.includes(canary), canary).toBe(false)
    expect(text.includes(hex(canary)), canary).toBe(false)
  }
})
