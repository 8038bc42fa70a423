import { beforeAll, describe, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { Assets, LedgerEntry } from '../../../../contract/ledger.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import { minor } from '../../../../contract/units.ts'
import { checkLedger } from '../../../../server/money/ledger/ledgerCheck.ts'
import { movementsCsv } from '../../../../server/money/index.ts'
import { newestFlush, post } from '../../../scenarios/safety/attackParts.ts'
import type { ListAnswer, MemberClient } from '../../../support/apiCalls.ts'
import { askToDeposit } from '../../../support/memberRequests.ts'
import {
  createStaff,
  openAndApprove,
  openAndConfirm,
  type StaffClient,
} from '../../../support/staffClient.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

type Decided = Pick<Deposit, 'status' | 'awaitsSecondPerson' | 'reason'> & { proposal: Proposal | null }

/** Up to 1000.00 one person decides alone. */
const venue = await withVenue({ asRoles: true })
let ada: StaffClient
let bo: StaffClient
let cy: StaffClient
beforeAll(async () => {
  ;[ada, bo, cy] = [
    await createStaff(venue, 'finance', 'ada'),
    await createStaff(venue, 'finance', 'bo'),
    await createStaff(venue, 'finance', 'cy'),
  ]
})

const reason = 'It never came'
const availableOf = async (member: MemberClient): Promise<string> =>
  (await member.get<Assets>('/me/assets')).body.available
const confirm = <T>(who: StaffClient, proposal: Proposal | null) => openAndConfirm<T>(who, proposal!)
/** As by an order: no trigger looks. */
const move = ({ id: member }: MemberClient, legs: Parameters<typeof post>[0] | Record<string, number>) =>
  venue.database.owner.query(`BEGIN; SET LOCAL session_replication_role = replica;
    ${post({ member, type: 'stake', kind: 'order', ref: 'x', ...legs }).replaceAll(newestFlush, '1')}; COMMIT`)
const lose = (member: MemberClient, amount: number) =>
  move(member, { available: -amount, house: amount, pnl: -amount })

/** A deposit without proof that one credited and another declined. */
async function creditAndDecline(member: MemberClient, amount: string): Promise<string> {
  const id = await askToDeposit(member, amount)
  const { proposal } = (await openAndApprove<Decided>(ada, `/deposits/${id}`)).body
  await bo.post(`/proposals/${proposal!.id}/decline`, { reason })
  return `/deposits/${id}`
}
async function reject(who: StaffClient, path: string) {
  await who.get(path)
  return who.post<Decided>(`${path}/reject`, { reason })
}
const reversalsOf = async (member: MemberClient): Promise<string[]> =>
  (await member.get<ListAnswer<LedgerEntry>>('/me/ledger')).body.items
    .filter(({ type }) => type === 'deposit_reversed')
    .map(({ amount }) => amount)
/** But for the orders that {@link move} did not write. */
const expectBooks = async () =>
  expect((await checkLedger(venue.db)).findings.filter((text) => !text.startsWith('order x'))).toEqual([])

describe('a deposit that is credited and waits for a second person', () => {
  it('is rejected by two, who take it back', async () => {
    const member = await venue.createVerifiedMember(minor(10_000))
    const path = await creditAndDecline(member, '500.00')
    expect(await availableOf(member)).toBe('600.00')
    expect((await bo.post(`${path}/reject`, { reason })).code).toBe('OPEN_FIRST')
    const { body } = await reject(bo, path)
    expect(officeRoutes.deposits.reject.answer.parse(body)).toEqual(body)
    expect(body).toMatchObject({ status: 'successful', awaitsSecondPerson: true })
    expect(body.proposal).toMatchObject({ act: 'deposits.reject', proposedBy: 'bo', params: { reason } })
    // So far nothing has moved.
    expect(await availableOf(member)).toBe('600.00')
    expect((await reject(bo, path)).code).toBe('SECOND_PERSON')
    expect((await openAndApprove(cy, path)).code).toBe('CONFLICT')
    const shown = await cy.get(path)
    expect(officeRoutes.deposits.show.answer.parse(shown.body)).toEqual(shown.body)
    expect(shown.body).toMatchObject({ proposal: { id: body.proposal!.id } })
    expect((await cy.get<ListAnswer<object>>('/queues/deposits')).body.items).toContainEqual(
      expect.objectContaining({ id: path.split('/').at(-1), proposedBy: 'bo' }),
    )

    expect((await confirm(cy, body.proposal)).status).toBe(200)
    expect((await cy.get(path)).body).toMatchObject({ status: 'failed', reversed: '500.00' })
    expect(await availableOf(member)).toBe('100.00')
    expect(await reversalsOf(member)).toEqual(['-500.00'])
    expect((await member.get<ListAnswer<Deposit>>('/deposits')).body.items).toMatchObject([
      { status: 'failed', reason, awaitsSecondPerson: false, reversed: '500.00' },
    ])
    expect((await member.get<ListAnswer<object>>('/messages')).body.items.slice(0, 2)).toMatchObject([
      {
        key: 'depositReversed',
        params: { amount: '500.00', reversed: '500.00', reason },
        link: `pages/withdraw-list/withdraw-open?id=${path.split('/').at(-1)}`,
      },
      { key: 'depositSuccessful' },
    ])
    expect((await member.get('/withdrawal-account')).body).toMatchObject({ awaiting: null })
    const all = { amount: '100.00', transactionPassword }
    expect((await member.post('/withdrawals', all)).status).toBe(201)
    // Once.
    expect((await confirm(ada, body.proposal)).code).toBe('CONFLICT')
    expect((await reject(ada, path)).code).toBe('CONFLICT')
    expect((await openAndApprove(ada, path)).code).toBe('CONFLICT')
    await expectBooks()
    const rows = []
    for await (const piece of movementsCsv(venue.db, { from: 0, to: Number.MAX_SAFE_INTEGER }))
      rows.push(piece)
    expect(rows.join('').replaceAll('"', '')).toContain(
      ',deposit_reversed,-500.00,-500.00,0.00,0.00,0.00,0.00,0.00,500.00,deposit,',
    )
  })

  it('is rejected only once no other proposal about it waits', async () => {
    const member = await venue.createVerifiedMember(minor(0))
    const id = await askToDeposit(member, '5.00')
    const { proposal } = (await openAndApprove<Decided>(ada, `/deposits/${id}`)).body
    expect((await reject(bo, `/deposits/${id}`)).code).toBe('CONFLICT')
    expect((await confirm(bo, proposal)).status).toBe(200)
    expect((await reject(bo, `/deposits/${id}`)).code).toBe('CONFLICT')
    expect(await availableOf(member)).toBe('5.00')
  })

  it('is taken back as far as it is there, and what comes later is the member’s', async () => {
    const member = await venue.createVerifiedMember(minor(10_000))
    const path = await creditAndDecline(member, '500.00')
    await lose(member, 45_000)
    const { proposal } = (await reject(bo, path)).body
    expect((await confirm(ada, proposal)).status).toBe(200)
    expect(await availableOf(member)).toBe('0.00')
    expect(await reversalsOf(member)).toEqual(['-150.00'])

    const gone = await creditAndDecline(member, '7.00')
    await lose(member, 700)
    expect((await confirm(ada, (await reject(bo, gone)).body.proposal)).status).toBe(200)
    expect(await reversalsOf(member)).toEqual(['-150.00'])
    await member.post('/practice/reset')
    const amount = await availableOf(member)
    expect((await member.post('/withdrawals', { amount, transactionPassword })).status).toBe(201)
  })

  it('is not taken back while open orders hold some of it', async () => {
    const member = await venue.createVerifiedMember(minor(10_000))
    const path = await creditAndDecline(member, '500.00')
    await move(member, { available: -20_000, stakes: 20_000 })
    const { proposal } = (await reject(bo, path)).body
    expect((await confirm(ada, proposal)).code).toBe('OPEN_ORDERS')
    expect(await availableOf(member)).toBe('400.00')
    await move(member, { available: 20_000, stakes: -20_000 })
    expect((await confirm(ada, proposal)).status).toBe(200)
    expect(await availableOf(member)).toBe('100.00')
  })

  it('keeps the account from being closed', async () => {
    const member = await venue.createVerifiedMember(minor(0))
    await creditAndDecline(member, '5.00')
    const closed = await member.post('/me/close', { transactionPassword })
    expect(closed.code).toBe('REQUESTS_PENDING')
  })
})

describe('an approved withdrawal', () => {
  const withdraw = async (amount: string) => {
    const member = await venue.createVerifiedMember(minor(500_000))
    const { body } = await member.post<Withdrawal>('/withdrawals', { amount, transactionPassword })
    return { member, path: `/withdrawals/${body.id}` }
  }

  it('that two persons approved is rejected by two', async () => {
    const { member, path } = await withdraw('2000.00')
    await confirm(bo, (await openAndApprove<Decided>(ada, path)).body.proposal)
    const { body } = await reject(bo, path)
    expect(officeRoutes.withdrawals.reject.answer.parse(body)).toEqual(body)
    expect(body).toMatchObject({ status: 'under_review', proposal: { act: 'withdrawals.reject' } })
    expect(await availableOf(member)).toBe('3000.00')
    expect((await cy.get(path)).body).toMatchObject({ proposal: { act: 'withdrawals.reject' } })
    expect((await cy.get<ListAnswer<object>>('/queues/payments')).body.items).toContainEqual(
      expect.objectContaining({ proposedBy: 'bo' }),
    )
    expect((await confirm<{ result: Decided }>(cy, body.proposal)).body.result).toMatchObject({
      status: 'failed',
      reason,
    })
    expect(await availableOf(member)).toBe('5000.00')
    await expectBooks()
  })

  it('is paid meanwhile: then its rejection is over', async () => {
    const { path } = await withdraw('2000.00')
    await confirm(bo, (await openAndApprove<Decided>(ada, path)).body.proposal)
    const { proposal } = (await reject(bo, path)).body
    await cy.get(path)
    expect((await cy.post(`${path}/pay`, { reference: 'B-7' })).status).toBe(200)
    expect((await confirm(ada, proposal)).code).toBe('CONFLICT')
  })

  it('within what one decides is rejected by one', async () => {
    const dot = await createStaff(venue, 'finance')
    const { member, path } = await withdraw('20.00')
    expect((await openAndApprove<Decided>(dot, path)).body.proposal).toBeNull()
    expect((await reject(dot, path)).body).toMatchObject({ status: 'failed', proposal: null })
    expect(await availableOf(member)).toBe('5000.00')
  })

  it('above what one decides by now is rejected by two', async () => {
    const dot = await createStaff(venue, 'finance')
    const { member, path } = await withdraw('600.00')
    expect((await openAndApprove<Decided>(dot, path)).body.proposal).toBeNull()
    const other = (await member.post<Withdrawal>('/withdrawals', { amount: '500.00', transactionPassword }))
      .body
    const eve = await createStaff(venue, 'finance')
    expect((await openAndApprove<Decided>(eve, `/withdrawals/${other.id}`)).body.proposal).toBeNull()
    expect((await reject(eve, path)).body.proposal).toMatchObject({ act: 'withdrawals.reject' })
  })
})
