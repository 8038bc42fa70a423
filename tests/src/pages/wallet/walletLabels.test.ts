import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { WithdrawalAccount } from '../../../../contract/withdrawals.ts'
import { validateBindDetails, bindFields, noTexts } from '../../../../src/pages/wallet/bindDetails.ts'
import { ledgerSource } from '../../../../src/pages/wallet/sources.ts'
import {
  accountNumber,
  accountTail,
  accountTitle,
  maskText,
  ledgerRow,
  refHref,
} from '../../../../src/pages/wallet/walletLabels.ts'
import { withdrawalTimeline } from '../../../../src/pages/wallet/WithdrawalSheet.tsx'

const bank: WithdrawalAccount = {
  id: 'a',
  type: 'bank',
  accountName: 'Lin Wei',
  nationality: 'CN',
  bank: 'China Merchants Bank',
  cardNumber: '6214****4821',
  accountAddress: 'Shen****anch',
  boundAt: epochMs(1),
}

describe('account labels', () => {
  it('show both ends of the number, and in a list only the last one, without a line break', () => {
    expect([accountTitle(bank), accountNumber(bank), accountTail(bank)]).toEqual([
      'China Merchants Bank',
      '6214\u00a0••••\u00a04821',
      '••••\u00a04821',
    ])
    expect(maskText('****')).toBe('••••')
  })
})

describe('validateBindDetails', () => {
  const filled = {
    ...noTexts,
    accountName: ' Lin Wei ',
    nationality: 'CN',
    bank: 'China Merchants Bank',
    cardNumber: '6214 8501 2204 4821',
    accountAddress: 'Shenzhen',
    currency: 'USDT-TRC20',
    currencyAddress: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
    memo: '',
    transactionPassword: '135791',
  }

  it.each(['bank', 'crypto'] as const)('returns an error for every empty field of %s', (type) => {
    const validated = validateBindDetails(type, noTexts)
    const required = bindFields[type].filter((name) => name !== 'memo')
    expect(validated).toEqual({ errors: Object.fromEntries(required.map((name) => [name, 'EMPTY'])) })
  })

  it('returns only the fields of the account type', () => {
    expect(validateBindDetails('bank', filled)).toEqual({
      details: {
        type: 'bank',
        accountName: 'Lin Wei',
        nationality: 'CN',
        bank: 'China Merchants Bank',
        cardNumber: '6214850122044821',
        accountAddress: 'Shenzhen',
        transactionPassword: '135791',
      },
    })
    expect(validateBindDetails('crypto', filled)).toMatchObject({
      details: { type: 'crypto', currency: 'USDT-TRC20' },
    })
  })

  it.each([
    '６２１４　８５０１ 2204 4821',
    '6214-8501-2204-4821',
    '6214\u00a08501\u202f2204\u20094821',
    '6214–8501–2204–4821',
    '\u202d6214\u200b85012204\ufeff4821\u202c',
  ])('sends the card number %j without spaces, dashes and invisible marks', (cardNumber) => {
    expect(validateBindDetails('bank', { ...filled, cardNumber })).toMatchObject({
      details: { cardNumber: '6214850122044821' },
    })
  })

  it.each([
    'UQBvI0aFLnw2QbZgjMPCLRdtRHxhUyinQudg6sdiohIwg5jL',
    'UQ_vI0aFLnw2QbZ-jMPCLRdtRHxhUyinQudg6sdiohIwg5jL',
    '0.0.1234567',
    'name.near',
    'alice_bob-1.tg',
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  ])('accepts the address %s, and leaves out what is pasted with it', (currencyAddress) => {
    const pasted = ` \u202a${currencyAddress}\u202c\n`
    expect(validateBindDetails('crypto', { ...filled, currencyAddress: pasted })).toMatchObject({
      details: { currencyAddress },
    })
  })

  it('sends a memo only if there is one', () => {
    expect(validateBindDetails('crypto', filled)).not.toHaveProperty('details.memo')
    expect(validateBindDetails('crypto', { ...filled, memo: ' 1004\u200b85 ' })).toHaveProperty(
      'details.memo',
      '100485',
    )
  })

  it('rejects an invalid card number and an invalid address', () => {
    expect(validateBindDetails('bank', { ...filled, cardNumber: '12-34' })).toEqual({
      errors: { cardNumber: 'CARD_FORMAT' },
    })
    expect(validateBindDetails('crypto', { ...filled, currencyAddress: 'short' })).toEqual({
      errors: { currencyAddress: 'INVALID' },
    })
    for (const currencyAddress of ['-name.near', 'a.b', 'name near$', '名字.near'])
      expect(validateBindDetails('crypto', { ...filled, currencyAddress })).toEqual({
        errors: { currencyAddress: 'INVALID' },
      })
  })
})

describe('ledger records', () => {
  it.each([
    ['order', '#/pages/order/detail?id=x'],
    ['deposit', '#/pages/withdraw-list/withdraw-open?id=x'],
    ['withdrawal', '#/pages/withdraw-list/withdraw-list?id=x'],
    ['fund_deposit', '#/pages/Particulars/Particulars'],
    ['member', undefined],
  ])('link %s to %s', (kind, href) => {
    expect(refHref({ kind, id: 'x', no: null, productId: null })).toBe(href)
  })

  it.each([
    ['an order', { type: 'stake', amount: '-1.00', held: '0.00' }, '-1.00', 'records.balance 9.00'],
    [
      'a paid withdrawal',
      { type: 'withdrawal_paid', amount: '0.00', held: '-5.00' },
      '-5.00',
      'records.fromHold',
    ],
    ['a fund earning', { type: 'fund_earning', amount: '0.25', held: '0.00' }, '0.25', 'records.toFund'],
    [
      'a standard transfer',
      { type: 'fund_out', amount: '0.00', held: '7.00' },
      '7.00',
      'fund.status.under_review',
    ],
    ['its arrival', { type: 'fund_out', amount: '7.00', held: '-7.00' }, '7.00', 'records.balance 9.00'],
  ] as const)('show of %s what moved and where', (_, entry, amount, below) => {
    const t = ((key: string, params: Record<string, string> = {}) =>
      [key, ...Object.values(params)].join(' ')) as unknown as Parameters<typeof ledgerRow>[0]
    const row = ledgerRow(t, { money: String }, { ...entry, balanceAfter: '9.00' })
    expect(row).toEqual({ amount, below })
  })

  it('accept an event only if it matches the filters', () => {
    const entry = {
      id: '7',
      at: epochMs(50),
      type: 'deposit',
      amount: '1.00',
      balanceAfter: '1.00',
      held: '0.00',
      fund: '0.00',
      ref: { kind: 'deposit', id: 'd', no: 'D-1', productId: null },
    } as const
    const belongs = (filters: Parameters<typeof ledgerSource>[0]) => ledgerSource(filters).belongs(entry)
    expect(belongs({})).toBe(true)
    expect(belongs({ type: 'deposit', from: 50, to: 50 })).toBe(true)
    expect([belongs({ type: 'stake' }), belongs({ from: 51 }), belongs({ to: 49 })]).toEqual([
      false,
      false,
      false,
    ])
    const ten = { ...entry, id: '10' }
    expect([entry, ten].sort(ledgerSource({}).compare).map(({ id }) => id)).toEqual(['10', '7'])
  })
})

describe('withdrawalTimeline', () => {
  const t = ((key: string, params: Record<string, string> = {}) =>
    [key, ...Object.values(params)].join(' ')) as unknown as Parameters<typeof withdrawalTimeline>[0]
  const format = { dateTimeShort: String }
  const requested = { at: epochMs(1), step: 'requested' } as const
  const states = (withdrawal: Parameters<typeof withdrawalTimeline>[2]) =>
    withdrawalTimeline(t, format, withdrawal).map(({ key, state }) => `${key} ${state}`)

  it('includes the next steps while the withdrawal is under review', () => {
    expect(states({ timeline: [requested], status: 'under_review', reason: null })).toEqual([
      'requested done',
      'review now',
      'paid ahead',
    ])
  })

  it('ends with the payment, or with the rejection and its reason', () => {
    const paid = { at: epochMs(2), step: 'paid' } as const
    expect(states({ timeline: [requested, paid], status: 'successful', reason: null })).toEqual([
      'requested done',
      'paid done',
    ])
    const rejected = { at: epochMs(2), step: 'refused' } as const
    const nodes = withdrawalTimeline(t, format, {
      timeline: [requested, rejected],
      status: 'failed',
      reason: 'Wrong name',
    })
    expect(nodes.at(-1)).toMatchObject({
      state: 'failed',
      when: '2',
      caption: 'common.sentences Wrong name withdraw.returned',
    })
  })
})
