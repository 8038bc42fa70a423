import { expect, it } from 'vitest'
import type { User } from '../../../../contract/member.ts'
import type { Withdrawal, WithdrawalAccount } from '../../../../contract/withdrawals.ts'
import { withdrawalAccount } from '../../../../server/money/schema.ts'
import { maskEnds } from '../../../../server/money/wallet/mask.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { bankAccount, bankDetails, coinAccount } from '../../../support/payments.ts'
import { withVenue } from '../../../support/withVenue.ts'

type Bound = { account: WithdrawalAccount | null }
const venue = await withVenue()
const { database } = venue

it('is bound once and shown masked', async () => {
  const member = await venue.createMember()
  expect((await member.get<Bound>('/withdrawal-account')).body).toEqual({
    account: null,
    rest: null,
    awaiting: null,
  })
  expect((await member.get<User>('/me')).body.hasWithdrawalAccount).toBe(false)
  const reply = await member.send<Bound>('POST', '/withdrawal-account', bankAccount)
  expect(reply.status).toBe(201)
  expect(reply.body.account).toEqual({
    id: expect.any(String),
    type: 'bank',
    accountName: 'Canary Accountname',
    nationality: 'CN',
    bank: 'First Bank',
    cardNumber: '6222****7890',
    accountAddress: '77Ca****ghai',
    boundAt: venue.clock.now(),
  })
  expect((await member.get('/withdrawal-account')).body).toEqual({
    ...reply.body,
    rest: null,
    awaiting: null,
  })
  expect((await member.get<User>('/me')).body.hasWithdrawalAccount).toBe(true)
  const again = await member.send('POST', '/withdrawal-account', coinAccount)
  expect([again.status, again.code]).toEqual([409, 'ALREADY_BOUND'])
  expect((await (await venue.createMember()).get('/withdrawal-account')).body).toEqual({
    account: null,
    rest: null,
    awaiting: null,
  })
})

it('is not bound with a wrong transaction password: a stolen session does not have the right one', async () => {
  const member = await venue.createMember()
  const bind = (body: object) => member.send('POST', '/withdrawal-account', body)
  const wrong = { ...bankAccount, transactionPassword: '111222' }
  for (let count = 0; count < 5; count++) expect((await bind(wrong)).code).toBe('TRANSACTION_PASSWORD_WRONG')
  const locked = await bind(bankAccount)
  expect([locked.status, locked.code]).toEqual([423, 'TRANSACTION_PASSWORD_LOCKED'])
  expect((await member.get<Bound>('/withdrawal-account')).body.account).toBeNull()
  const bound = await venue.createMember()
  await bound.send('POST', '/withdrawal-account', bankAccount)
  await venue.accounts.unbind(bound.id, 'mei')
  expect((await bound.send('POST', '/withdrawal-account', wrong)).code).toBe('TRANSACTION_PASSWORD_WRONG')
})

it('is bound without a password in practice mode alone', async () => {
  const inPractice = await venue.createMember()
  expect((await inPractice.send('POST', '/withdrawal-account', bankDetails)).status).toBe(201)
  const live = await withVenue({ live: true })
  const reply = await (await live.createMember()).send('POST', '/withdrawal-account', bankDetails)
  expect([reply.status, reply.fields]).toEqual([400, { transactionPassword: 'EMPTY' }])
})

it('is bound once by concurrent requests', async () => {
  const member = await venue.createMember()
  const replies = await Promise.all(
    [bankAccount, coinAccount, bankAccount].map((account) =>
      member.send('POST', '/withdrawal-account', account),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
})

it.each([
  [{ ...bankAccount, accountName: '' }, { accountName: 'EMPTY' }],
  [{ ...bankAccount, accountName: '   ' }, { accountName: 'EMPTY' }],
  [{ ...bankAccount, bank: undefined }, { bank: 'EMPTY' }],
  [{ ...bankAccount, cardNumber: '' }, { cardNumber: 'EMPTY' }],
  [{ ...bankAccount, cardNumber: '12-34' }, { cardNumber: 'CARD_FORMAT' }],
  [{ ...bankAccount, accountAddress: '' }, { accountAddress: 'EMPTY' }],
  [{ ...bankAccount, nationality: '' }, { nationality: 'EMPTY' }],
  [{ ...bankAccount, nationality: 'cn' }, { nationality: 'INVALID' }],
  [{ ...bankAccount, nationality: 'ZZ' }, { nationality: 'INVALID' }],
  [{ ...bankAccount, bank: '\u200b\u3164' }, { bank: 'EMPTY' }],
  [{ ...bankAccount, bank: 'First\nBank' }, { bank: 'INVALID' }],
  [{ ...bankAccount, accountAddress: 'Street\u20281' }, { accountAddress: 'INVALID' }],
  [{ ...coinAccount, currency: 'U\u202eD' }, { currency: 'INVALID' }],
  [{ ...coinAccount, currency: '' }, { currency: 'EMPTY' }],
  [{ ...coinAccount, currencyAddress: '' }, { currencyAddress: 'EMPTY' }],
  [{ ...coinAccount, currencyAddress: 'short' }, { currencyAddress: 'INVALID' }],
  [{ ...coinAccount, memo: ' ' }, { memo: 'EMPTY' }],
  [{ ...coinAccount, memo: '1'.repeat(121) }, { memo: 'TOO_LONG' }],
  [{ ...coinAccount, fee: '1.00' }, { fee: 'UNKNOWN_FIELD' }],
])('rejects %j with %j', async (form, fields) => {
  const member = await venue.createMember()
  const reply = await member.send('POST', '/withdrawal-account', form)
  expect([reply.status, reply.code, reply.fields]).toEqual([400, 'VALIDATION', fields])
  expect((await member.get<Bound>('/withdrawal-account')).body.account).toBeNull()
})

it('has an address of any chain and a memo, which the office reads in full', async () => {
  const member = await venue.createMember()
  const currencyAddress = 'UQ_vI0aFLnw2QbZ-jMPCLRdtRHxhUyinQudg6sdiohIwg5jL'
  await member.send('POST', '/withdrawal-account', { ...coinAccount, currencyAddress, memo: ' 10048512 ' })
  const { account } = (await member.get<Bound>('/withdrawal-account')).body
  expect(account).toMatchObject({ currencyAddress: 'UQ_v****g5jL', memo: '10****12' })
  expect((await venue.accounts.showForOffice(account!.id)).details).toMatchObject({
    currencyAddress,
    memo: '10048512',
  })
  const rows = await database.db.select().from(withdrawalAccount)
  expect(rows.map((row) => JSON.stringify(row)).join(' ')).not.toContain('10048512')
})

it('is unbound by customer service, by its own id or the member’s', async () => {
  const member = await venue.createVerifiedMember()
  const { account } = (await member.get<Bound>('/withdrawal-account')).body
  const request = { amount: '10.00', transactionPassword }
  const before = await member.post<Withdrawal>('/withdrawals', request)
  await venue.accounts.unbind(account!.id, 'mei')
  expect((await member.get<Bound>('/withdrawal-account')).body.account).toBeNull()
  expect((await member.get<User>('/me')).body.hasWithdrawalAccount).toBe(false)
  expect((await member.post('/withdrawals', request)).code).toBe('NOT_BOUND')
  expect((await venue.withdrawals.office.show(before.body.id)).account).toEqual({
    id: account!.id,
    type: account!.type,
  })
  await expect(venue.accounts.unbind(account!.id, 'mei')).rejects.toMatchObject({ code: 'NOT_FOUND' })

  expect((await member.send('POST', '/withdrawal-account', coinAccount)).status).toBe(201)
  await venue.accounts.unbind(member.id, 'tom')
  const { items } = await venue.actLog.list({ limit: 5 }, { subjectKind: 'withdrawal-account' })
  expect(
    items.filter(({ memberId }) => memberId === member.id).map(({ actor, act }) => [actor, act]),
  ).toEqual([
    ['tom', 'unbind'],
    ['mei', 'unbind'],
  ])
  expect(venue.bus.eventsFor<{ key: string }>(member.id, 'message').map(({ key }) => key)).toEqual([
    'withdrawalAccountBound',
    'withdrawalAccountUnbound',
    'withdrawalAccountBound',
    'withdrawalAccountUnbound',
  ])
})

it('is shown completely to the back office, with an audit row', async () => {
  const member = await venue.createMember()
  const { account } = (await member.send<Bound>('POST', '/withdrawal-account', bankAccount)).body
  const shown = await venue.accounts.showForOffice(account!.id)
  expect(shown).toEqual({ memberId: member.id, details: bankDetails })
  const identity = await venue.office('GET', `/members/${member.id}/identity`)
  expect(identity.body).toMatchObject({ payTo: bankDetails })
  const { items } = await venue.actLog.list({ limit: 1 })
  expect(items).toMatchObject([{ act: 'view', actor: 'mei', subject: { id: account!.id } }])
})

it('cannot get the details of another account in the database', async () => {
  const [a, b] = [await venue.createMember(), await venue.createMember()]
  const bound = async (member: typeof a) =>
    (await member.send<Bound>('POST', '/withdrawal-account', bankAccount)).body.account!.id
  const [from, to] = [await bound(a), await bound(b)]
  const swap = `UPDATE withdrawal_account SET details_sealed =
    (SELECT details_sealed FROM withdrawal_account WHERE id = '${from}') WHERE id = '${to}'`
  await expect(database.pool.query(swap)).rejects.toThrow('bound once')
})

it.each([
  ['6222021234567890', '6222****7890'],
  ['6222 0212 3456 7890', '6222****7890'],
  ['12345678', '12****78'],
  ['123456', '1****6'],
  ['abc', '****'],
  ['上海市浦东新区世纪大道一号', '上海市****道一号'],
])('maskEnds of %s', (text, masked) => {
  expect(maskEnds(text)).toBe(masked)
})
