import { afterAll, describe, expect, it } from 'vitest'
import { depositRoutes, type Deposit, type DepositMethod } from '../../../../contract/deposits.ts'
import type { Assets } from '../../../../contract/ledger.ts'
import type { Message } from '../../../../contract/content.ts'
import { depositMethodSetting } from '../../../../server/money/wallet/depositMethodSetting.ts'
import { bankMethod } from '../../../support/payments.ts'
import { ledgerSum } from '../../../support/ledgerSum.ts'
import { withVenue } from '../../../support/withVenue.ts'

const practice = await withVenue()
const { database } = practice
const live = await withVenue({ database, live: true })
afterAll(async () => expect(await ledgerSum(live.database)).toBe(0))
const items = (reply: { body: unknown }): Deposit[] => (reply.body as { items: Deposit[] }).items

describe('practice deposits', () => {
  it('are credited at once by the first method', async () => {
    const member = await practice.createMember()
    const methods = await member.get<DepositMethod[]>('/deposit-methods')
    const practiceMoney = {
      kind: 'practice',
      currency: 'USD',
      instructions: {},
      min: '1.00',
      max: '999999.00',
    }
    expect(methods.body).toEqual([
      { id: 'practice', reviewed: false, ...practiceMoney },
      { id: 'practice-review', reviewed: true, ...practiceMoney },
    ])
    const reply = await member.post<Deposit>('/deposits', { methodId: 'practice', amount: '250.50' })
    expect(reply.status).toBe(201)
    expect(depositRoutes.placeDeposit.answer.safeParse(reply.body).success).toBe(true)
    expect(reply.body).toMatchObject({ status: 'successful', amount: '250.50', reason: null, version: 1 })
    expect(reply.body.no).toMatch(/^D-\d{6}-[0-9A-Z]{8}$/)
    const assets = (await member.get<Assets>('/me/assets')).body
    expect(assets).toMatchObject({ available: '10250.50', total: '10250.50', version: 2 })
    expect(practice.bus.eventsFor(member.id, 'deposit')).toEqual([reply.body])
    expect(practice.bus.eventsFor(member.id, 'ledger')).toMatchObject([
      { type: 'deposit', amount: '250.50', ref: { kind: 'deposit', id: reply.body.id } },
    ])
    expect(practice.bus.eventsFor<Assets>(member.id, 'assets').at(-1)).toEqual(assets)
    expect(items(await member.get('/deposits'))).toEqual([reply.body])
  })

  it('can be tried with a review: credited when customer service approves, not when it rejects', async () => {
    const member = await practice.createMember()
    const deposit = { methodId: 'practice-review', amount: '70.00' }
    const first = (await member.post<Deposit>('/deposits', deposit)).body
    const second = (await member.post<Deposit>('/deposits', deposit)).body
    expect(first).toMatchObject({ methodId: 'practice-review', status: 'under_review', decidedAt: null })
    expect((await member.get<Assets>('/me/assets')).body.available).toBe('10000.00')
    await practice.deposits.office.approve(first.id, 'mei')
    await practice.deposits.office.reject(second.id, 'only a trial', 'mei')
    expect((await member.get<Assets>('/me/assets')).body.available).toBe('10070.00')
    const results = items(await member.get('/deposits')).map(({ id, status, reason }) => [id, status, reason])
    expect(results).toHaveLength(2)
    expect(results).toContainEqual([first.id, 'successful', null])
    expect(results).toContainEqual([second.id, 'failed', 'only a trial'])
  })

  it('are placed once per idempotency key', async () => {
    const member = await practice.createMember()
    const key = practice.random.uuid()
    const request = { methodId: 'practice', amount: '5.00' }
    const [first, again] = [
      await member.post('/deposits', request, key),
      await member.post('/deposits', request, key),
    ]
    expect(again.text).toBe(first.text)
    expect(again.replayed).toBe(true)
    expect((await member.post('/deposits', { ...request, amount: '6.00' }, key)).code).toBe(
      'IDEMPOTENCY_MISMATCH',
    )
    expect(items(await member.get('/deposits'))).toHaveLength(1)
  })

  it.each([
    ['0.00', 422, 'DEPOSIT_LIMIT'],
    ['0.99', 422, 'DEPOSIT_LIMIT'],
    ['999999.01', 422, 'DEPOSIT_LIMIT'],
    ['-5.00', 400, 'VALIDATION'],
    ['5', 400, 'VALIDATION'],
    ['5.001', 400, 'VALIDATION'],
  ])('of %s are rejected with %i %s', async (amount, status, code) => {
    const member = await practice.createMember()
    const reply = await member.post('/deposits', { methodId: 'practice', amount })
    expect([reply.status, reply.code]).toEqual([status, code])
    if (code === 'DEPOSIT_LIMIT') expect(reply.params).toEqual({ min: '1.00', max: '999999.00' })
    expect((await member.get<Assets>('/me/assets')).body.available).toBe('10000.00')
  })

  it('are rejected for unknown methods and those of live mode', async () => {
    const member = await practice.createMember()
    for (const methodId of ['bank-1', 'nothing']) {
      const reply = await member.post('/deposits', { methodId, amount: '50.00' })
      expect([reply.status, reply.fields]).toEqual([400, { methodId: 'INVALID' }])
    }
  })
})

describe('live deposits', () => {
  const request = { methodId: 'bank-1', amount: '100.00' }

  it('do not have the practice method', async () => {
    const member = await live.createMember()
    const methods = (await member.get<DepositMethod[]>('/deposit-methods')).body
    expect(methods.map(({ id }) => id)).toEqual(['bank-1', 'coin-1'])
    expect(methods[0]).toEqual({ ...bankMethod, reviewed: true })
    expect((await member.post('/deposits', { methodId: 'practice', amount: '50.00' })).status).toBe(400)
  })

  it('are credited once when approved', async () => {
    const member = await live.createMember(0 as never)
    const { body } = await member.post<Deposit>('/deposits', request)
    expect(body).toMatchObject({ status: 'under_review', decidedAt: null })
    expect((await member.get<Assets>('/me/assets')).body.available).toBe('0.00')
    const decided = await live.deposits.office.approve(body.id, 'mei')
    expect(decided).toMatchObject({ status: 'successful', version: 2, memberId: member.id, decidedBy: 'mei' })
    expect((await member.get<Assets>('/me/assets')).body.available).toBe('100.00')
    for (const again of [
      () => live.deposits.office.approve(body.id, 'mei'),
      () => live.deposits.office.reject(body.id, 'no', 'mei'),
    ]) {
      await expect(again()).rejects.toMatchObject({ code: 'CONFLICT' })
    }
    expect((await member.get<Assets>('/me/assets')).body).toMatchObject({ available: '100.00', version: 1 })
    expect(live.bus.eventsFor<Deposit>(member.id, 'deposit').map(({ version }) => version)).toEqual([1, 2])
    expect(live.bus.eventsFor<Message>(member.id, 'message')).toMatchObject([
      { key: 'depositSuccessful', params: { no: body.no, amount: '100.00' } },
    ])
    const { items: acts } = await live.actLog.list(
      { limit: 5 },
      { subjectKind: 'deposit', subjectId: body.id },
    )
    expect(acts).toMatchObject([{ actor: 'mei', act: 'approve', memberId: member.id }])
  })

  it('are not credited when rejected, and show the reason', async () => {
    const member = await live.createMember(0 as never)
    const { body } = await member.post<Deposit>('/deposits', request)
    await live.deposits.office.reject(body.id, 'Nothing arrived', 'mei')
    const [shown] = items(await member.get('/deposits'))
    expect(shown).toMatchObject({ status: 'failed', reason: 'Nothing arrived', version: 2 })
    expect((await member.get<Assets>('/me/assets')).body.version).toBe(0)
    await expect(live.deposits.office.approve('nothing', 'mei')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('use their proof only if accepted', async () => {
    const member = await live.createMember()
    const proofUploadId = await live.upload(member, 'deposit_proof')
    const tooMuch = await member.post('/deposits', { ...request, amount: '5000.01', proofUploadId })
    expect(tooMuch.code).toBe('DEPOSIT_LIMIT')
    const first = await member.post<Deposit>('/deposits', { ...request, proofUploadId })
    expect(first.status).toBe(201)
    expect((await live.deposits.office.show(first.body.id)).proofUploadId).toBe(proofUploadId)
    const other = await live.createMember()
    const invalidIds = [
      proofUploadId,
      await live.upload(member, 'service'),
      await live.upload(other, 'deposit_proof'),
      'nothing',
    ]
    for (const id of invalidIds) {
      const reply = await member.post('/deposits', { ...request, proofUploadId: id })
      expect([reply.status, reply.fields]).toEqual([400, { proofUploadId: 'INVALID' }])
    }
    expect(items(await member.get('/deposits'))).toHaveLength(1)
  })

  it('are listed in pages to their own member', async () => {
    const member = await live.createMember()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      if (i % 2 === 0) await live.clock.advance(1)
      ids.unshift((await member.post<Deposit>('/deposits', request)).body.id)
    }
    const first = await member.get<{ items: Deposit[]; nextCursor: string }>('/deposits?limit=2')
    const seen = first.body.items.map(({ id }) => id)
    await member.post('/deposits', request)
    let cursor: string | null = first.body.nextCursor
    while (cursor !== null) {
      const page: { body: { items: Deposit[]; nextCursor: string | null } } = await member.get(
        `/deposits?limit=2&cursor=${cursor}`,
      )
      seen.push(...page.body.items.map(({ id }) => id))
      cursor = page.body.nextCursor
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect(new Set(seen).size).toBe(3)
    expect(items(await (await live.createMember()).get('/deposits'))).toEqual([])
    expect((await member.get('/deposits?cursor=x')).status).toBe(400)
    const open = await live.deposits.office.list({ limit: 100 }, { status: 'under_review' })
    expect(open.items.filter(({ memberId }) => memberId === member.id)).toHaveLength(4)
  })

  it('cannot be decided twice, changed or deleted in the database', async () => {
    const member = await live.createMember()
    const { body } = await member.post<Deposit>('/deposits', request)
    const run = (sql: string) => database.pool.query(`${sql} WHERE id = '${body.id}'`)
    await expect(run('UPDATE deposit SET amount = 1')).rejects.toThrow('decided once')
    const decision = "status = 'successful', decided_at = 1, decided_by = 'x', version = 2"
    await expect(run(`UPDATE deposit SET ${decision}, amount = 1`)).rejects.toThrow('never changes')
    await expect(run('DELETE FROM deposit')).rejects.toThrow('never changed')
    await live.deposits.office.reject(body.id, 'no', 'mei')
    await expect(run(`UPDATE deposit SET ${decision.replace('2', '3')}, reason = NULL`)).rejects.toThrow(
      'decided once',
    )
  })
})

it.each([
  [{ min: '0.00' }, false],
  [{ min: '10.00', max: '9.99' }, false],
  [{ max: '999999.01' }, false],
  [{ kind: 'practice' }, false],
  [{}, true],
])('validates the settings of a method: %j', (change, isValid) => {
  expect(depositMethodSetting.safeParse({ ...bankMethod, ...change }).success).toBe(isValid)
})
