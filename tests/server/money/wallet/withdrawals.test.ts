import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import type { Message } from '../../../../contract/content.ts'
import type { Assets, LedgerEntry } from '../../../../contract/ledger.ts'
import { withdrawalRoutes, type Withdrawal } from '../../../../contract/withdrawals.ts'
import { member as memberTable } from '../../../../server/platform/db/schema.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { bankAccount } from '../../../support/payments.ts'
import { withVenue } from '../../../support/withVenue.ts'
import { ledgerSum } from '../../../support/ledgerSum.ts'

const venue = await withVenue()
const { database } = venue
afterAll(async () => {
  expect(await ledgerSum(venue.database)).toBe(0)
})
const request = { amount: '100.00', transactionPassword }
const assets = async (member: MemberClient): Promise<Assets> => (await member.get<Assets>('/me/assets')).body
const listWithdrawals = async (member: MemberClient): Promise<Withdrawal[]> =>
  (await member.get<{ items: Withdrawal[] }>('/withdrawals')).body.items
const withdraw = async (member: MemberClient): Promise<Withdrawal> => {
  const reply = await member.post<Withdrawal>('/withdrawals', request)
  expect(reply.status).toBe(201)
  return reply.body
}
const verify = (member: MemberClient, verification: 'verified' | 'rejected' | 'under_review') =>
  venue.db.update(memberTable).set({ verification }).where(eq(memberTable.id, member.id))

describe('placing a withdrawal', () => {
  it('holds the amount at once', async () => {
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
      {
        type: 'withdrawal_hold',
        amount: '-100.00',
        balanceAfter: '9900.00',
        held: '100.00',
        ref: { no: body.no, productId: null },
      },
    ])
    expect(await listWithdrawals(member)).toEqual([body])
  })

  it('checks in order: account, verification, password, balance', async () => {
    const member = await venue.createMember()
    const wrong = { amount: '99999.00', transactionPassword: '000000' }
    const rejection = async (body: object): Promise<unknown[]> => {
      const { status, code } = await member.post('/withdrawals', body)
      return [status, code]
    }
    expect(await rejection(wrong)).toEqual([422, 'NOT_BOUND'])
    await member.send('POST', '/withdrawal-account', bankAccount)
    for (const state of ['under_review', 'rejected'] as const) {
      await verify(member, state)
      expect(await rejection(wrong)).toEqual([422, 'NOT_VERIFIED'])
    }
    await verify(member, 'verified')
    expect(await rejection({ ...request, accountId: 'another' })).toEqual([422, 'NOT_BOUND'])
    expect(await rejection(wrong)).toEqual([422, 'TRANSACTION_PASSWORD_WRONG'])
    expect(await rejection({ ...wrong, transactionPassword })).toEqual([422, 'INSUFFICIENT_BALANCE'])
    expect(await assets(member)).toMatchObject({ available: '10000.00', held: '0.00', version: 1 })
    expect(await listWithdrawals(member)).toEqual([])
    const { account } = (await member.get<{ account: { id: string } }>('/withdrawal-account')).body
    expect((await member.post('/withdrawals', { ...request, accountId: account.id })).status).toBe(201)
  })

  it.each([
    ['', { amount: 'EMPTY' }],
    ['10', { amount: 'AMOUNT_FORMAT' }],
    ['-10.00', { amount: 'AMOUNT_FORMAT' }],
    ['0.00', { amount: 'AMOUNT_MIN' }],
    ['999999.01', { amount: 'AMOUNT_MAX' }],
  ])('rejects the amount %j with 400', async (amount, fields) => {
    const member = await venue.createVerifiedMember()
    const reply = await member.post('/withdrawals', { amount, transactionPassword })
    expect([reply.status, reply.fields]).toEqual([400, fields])
  })

  it('treats a blank password as empty', async () => {
    const member = await venue.createVerifiedMember()
    const reply = await member.post('/withdrawals', { amount: '1.00', transactionPassword: ' ' })
    expect([reply.status, reply.fields]).toEqual([400, { transactionPassword: 'EMPTY' }])
  })

  it('replays the answer or the error of an idempotency key', async () => {
    const member = await venue.createVerifiedMember()
    const [key, bad] = [venue.random.uuid(), venue.random.uuid()]
    const first = await member.post('/withdrawals', request, key)
    expect((await member.post('/withdrawals', request, key)).text).toBe(first.text)
    expect((await assets(member)).held).toBe('100.00')
    const tooMuch = { ...request, amount: '20000.00' }
    expect((await member.post('/withdrawals', tooMuch, bad)).code).toBe('INSUFFICIENT_BALANCE')
    const again = await member.post('/withdrawals', tooMuch, bad)
    expect([again.code, again.replayed]).toEqual(['INSUFFICIENT_BALANCE', true])
  })

  it('locks for an hour after five wrong passwords, also if sent at once', async () => {
    const member = await venue.createVerifiedMember()
    const wrong = { ...request, transactionPassword: '111222' }
    const replies = await Promise.all(Array.from({ length: 8 }, () => member.post('/withdrawals', wrong)))
    expect(replies.map(({ code }) => String(code)).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'TRANSACTION_PASSWORD_LOCKED'),
      ...Array.from({ length: 5 }, () => 'TRANSACTION_PASSWORD_WRONG'),
    ])
    const locked = await member.post('/withdrawals', request)
    expect([locked.status, locked.code]).toEqual([423, 'TRANSACTION_PASSWORD_LOCKED'])
    expect(locked.params).toEqual({ retryAfterMs: 3_600_000 })
    await venue.clock.jumpBy(3_599_999)
    expect((await member.post('/withdrawals', request)).params).toEqual({ retryAfterMs: 1 })
    await venue.clock.advance(1)
    expect((await member.post('/withdrawals', wrong)).code).toBe('TRANSACTION_PASSWORD_WRONG')
    expect((await member.post('/withdrawals', request)).status).toBe(201)
    expect(await assets(member)).toMatchObject({ available: '9900.00', held: '100.00' })
  })

  it('resets the count of wrong passwords after a right one', async () => {
    const member = await venue.createVerifiedMember()
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) {
        const reply = await member.post('/withdrawals', { ...request, transactionPassword: '111222' })
        expect(reply.code).toBe('TRANSACTION_PASSWORD_WRONG')
      }
      expect((await member.post('/withdrawals', request)).status).toBe(201)
    }
  })
})

describe('a withdrawal', () => {
  it('actions the held amount out of the ledger when approved', async () => {
    const member = await venue.createVerifiedMember()
    const { id, no } = await withdraw(member)
    await venue.clock.advance(5)
    const paid = await venue.withdrawals.office.approveAndPay(id, 'mei')
    expect(paid).toMatchObject({ status: 'successful', reason: null, version: 2, decidedBy: 'mei' })
    expect(paid.timeline.map(({ step }) => step)).toEqual(['requested', 'paid'])
    expect(await assets(member)).toMatchObject({ available: '9900.00', held: '0.00', total: '9900.00' })
    expect(venue.bus.eventsFor<Message>(member.id, 'message').at(-1)).toMatchObject({
      key: 'withdrawalSuccessful',
      params: { no, amount: '100.00' },
    })
  })

  it('is approved first and paid then, with the reference of the bank', async () => {
    const { office } = venue.withdrawals
    const member = await venue.createVerifiedMember()
    const { id } = await withdraw(member)
    await expect(office.pay(id, { reference: 'B-1' }, 'lan')).rejects.toMatchObject({ code: 'CONFLICT' })
    const approved = await office.approve(id, 'mei')
    expect(approved).toMatchObject({ status: 'under_review', approvedBy: 'mei', version: 2, reference: null })
    expect(venue.bus.eventsFor<Withdrawal>(member.id, 'withdrawal').at(-1)).toMatchObject({
      status: 'under_review',
      timeline: [{ step: 'requested' }, { step: 'approved' }],
    })
    expect(await assets(member)).toMatchObject({ held: '100.00' })
    await expect(office.approve(id, 'lan')).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(office.approveAndPay(id, 'lan')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await member.post(`/withdrawals/${id}/cancel`)).code).toBe('NOT_CANCELLABLE')
    const paid = await office.pay(id, { reference: 'B-1' }, 'lan')
    expect(paid).toMatchObject({ status: 'successful', decidedBy: 'lan', reference: 'B-1', version: 3 })
    expect(paid.timeline.map(({ step }) => step)).toEqual(['requested', 'approved', 'paid'])
    expect(venue.bus.eventsFor<Withdrawal>(member.id, 'withdrawal').at(-1)).toMatchObject({
      reference: 'B-1',
    })
    expect(await assets(member)).toMatchObject({ held: '0.00', available: '9900.00' })
  })

  it('that is approved can still be rejected, and in the database nothing else of it changes', async () => {
    const { office } = venue.withdrawals
    const member = await venue.createVerifiedMember()
    const { id } = await withdraw(member)
    const write = (set: string) =>
      venue.database.pool.query(`UPDATE withdrawal SET ${set} WHERE id = '${id}'`)
    const denied = { code: '23001' }
    await expect(
      write('amount = 1, version = 2, approved_at = 1, approved_by = $$x$$'),
    ).rejects.toMatchObject(denied)
    await expect(write('version = 2')).rejects.toMatchObject(denied)
    await office.approve(id, 'mei')
    await expect(write('version = 3, approved_by = $$x$$')).rejects.toMatchObject(denied)
    await expect(write('version = 3, reference = $$x$$')).rejects.toThrow()
    await office.reject(id, 'The bank sent it back', 'lan')
    expect(await assets(member)).toMatchObject({ available: '10000.00', held: '0.00' })
  })

  it('returns the amount when rejected, with the reason', async () => {
    const member = await venue.createVerifiedMember()
    const { id } = await withdraw(member)
    await venue.withdrawals.office.reject(id, 'Name does not match', 'mei')
    const [shown] = await listWithdrawals(member)
    expect(shown).toMatchObject({ status: 'failed', reason: 'Name does not match', version: 2 })
    expect(shown!.timeline.map(({ step }) => step)).toEqual(['requested', 'refused'])
    expect(await assets(member)).toMatchObject({ available: '10000.00', held: '0.00' })
    expect(venue.bus.eventsFor<LedgerEntry>(member.id, 'ledger').at(-1)).toMatchObject({
      type: 'withdrawal_returned',
      amount: '100.00',
      balanceAfter: '10000.00',
    })
  })

  it('can be cancelled by the member', async () => {
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

  it('cannot change after it has ended', async () => {
    const actions: [string, (member: MemberClient, id: string) => Promise<unknown>][] = [
      ['approve', (_, id) => venue.withdrawals.office.approveAndPay(id, 'mei')],
      ['reject', (_, id) => venue.withdrawals.office.reject(id, 'no', 'mei')],
      ['cancel', (member, id) => member.post(`/withdrawals/${id}/cancel`)],
    ]
    for (const [, end] of actions) {
      const member = await venue.createVerifiedMember()
      const { id } = await withdraw(member)
      await end(member, id)
      const before = [await assets(member), await listWithdrawals(member)]
      for (const [name, action] of actions) {
        if (name === 'cancel')
          expect(await action(member, id)).toMatchObject({ status: 409, code: 'NOT_CANCELLABLE' })
        else await expect(action(member, id)).rejects.toMatchObject({ code: 'CONFLICT' })
      }
      expect([await assets(member), await listWithdrawals(member)]).toEqual(before)
    }
  })

  it('is not visible to other members', async () => {
    const [owner, otherMember] = [await venue.createVerifiedMember(), await venue.createVerifiedMember()]
    const { id } = await withdraw(owner)
    expect((await otherMember.post(`/withdrawals/${id}/cancel`)).status).toBe(404)
    expect((await otherMember.post('/withdrawals/nothing/cancel')).status).toBe(404)
    expect(await listWithdrawals(otherMember)).toEqual([])
    expect((await listWithdrawals(owner))[0]!.status).toBe('under_review')
    await expect(venue.withdrawals.office.approveAndPay('nothing', 'mei')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('is not affected by exclusion and self-limits', async () => {
    const member = await venue.createVerifiedMember()
    const excludedUntil = venue.clock.now() + 9e9
    await member.send('PUT', '/me/limits', {
      maxStake: '0.00',
      maxDailyLoss: '0.00',
      maxDailyDeposit: '0.00',
      excludedUntil,
    })
    expect((await member.post('/deposits', { methodId: 'practice', amount: '5.00' })).code).toBe('EXCLUDED')
    expect((await member.post('/withdrawals', request)).status).toBe(201)
  })
})

it('stores no personal data in plain text', async () => {
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
