import { describe, expect, it } from 'vitest'
import {
  accountRule,
  captchaRule,
  emailRule,
  idNumberRule,
  nameRule,
  plainName,
  openingCodeRule,
  passwordRule,
  passwordsMatch,
  transactionPasswordRule,
  transactionPasswordsMatch,
} from '../../contract/rules.ts'

const ok = undefined

describe('account and opening code', () => {
  it.each([
    ['', 'REQUIRED'],
    ['abcde', 'ACCOUNT_FORMAT'],
    ['abcdef', ok],
    ['lin_wei88', ok],
    ['abcdefghijkl', ok],
    ['abcdefghijklm', 'ACCOUNT_FORMAT'],
    ['abc def', 'ACCOUNT_FORMAT'],
    ['账户名称账户', 'ACCOUNT_FORMAT'],
  ])('account %j', (text, code) => expect(accountRule(text)).toBe(code))

  it.each([
    ['', 'REQUIRED'],
    ['  ', 'REQUIRED'],
    ['UPTICK', ok],
  ])('opening code %j', (text, code) => expect(openingCodeRule(text)).toBe(code))
})

describe('passwords', () => {
  const own = { account: 'lin_wei88', phone: '13800138000' }
  it.each([
    ['', 'REQUIRED'],
    ['short7!', 'PASSWORD_WEAK'],
    ['password', 'PASSWORD_WEAK'],
    ['aaaaaaaaaa', 'PASSWORD_WEAK'],
    ['LIN_WEI88', 'PASSWORD_WEAK'],
    ['13800138000', 'PASSWORD_WEAK'],
    ['correct horse', ok],
    ['x'.repeat(32) + 'y'.repeat(32), ok],
    ['x'.repeat(32) + 'y'.repeat(33), 'PASSWORD_WEAK'],
    ['Uptick2026!', 'PASSWORD_WEAK'],
    ['12-trading-34', 'PASSWORD_WEAK'],
    ['uptick trading', 'PASSWORD_WEAK'],
    ['uptick and a horse', ok],
    ['98741236', ok],
    ['一二三四五六七八', ok],
  ])('password %j', (text, code) => expect(passwordRule(text, own)).toBe(code))

  it.each([
    ['Goldbach88', 'PASSWORD_WEAK'],
    ['goldbach-trade 2026', 'PASSWORD_WEAK'],
    ['GoldbachMarkets1', 'PASSWORD_WEAK'],
    ['goldbach and a horse', ok],
  ])('password %j with the operator’s name', (text, code) =>
    expect(passwordRule(text, { ...own, venueName: 'Goldbach Markets' })).toBe(code),
  )

  it.each([
    ['', 'REQUIRED'],
    ['12345', 'TRANSACTION_PASSWORD_FORMAT'],
    ['111111', 'TRANSACTION_PASSWORD_FORMAT'],
    ['123456', 'TRANSACTION_PASSWORD_FORMAT'],
    ['987654', 'TRANSACTION_PASSWORD_FORMAT'],
    ['135791', ok],
    ['246813', ok],
    ['12345a', 'TRANSACTION_PASSWORD_FORMAT'],
  ])('transaction password %j', (text, code) => expect(transactionPasswordRule(text)).toBe(code))

  it('must match their confirmation', () => {
    expect(passwordsMatch('a', 'a')).toBe(ok)
    expect(passwordsMatch('a', 'b')).toBe('PASSWORD_MISMATCH')
    expect(transactionPasswordsMatch('a', 'b')).toBe('TRANSACTION_PASSWORD_MISMATCH')
  })
})

describe('identity', () => {
  it.each([
    ['林伟', 'CN', ok],
    ['林', 'CN', 'NAME_FORMAT'],
    ['司马相如之子', 'CN', 'NAME_FORMAT'],
    ['Lin Wei', 'CN', 'NAME_FORMAT'],
    ['王䶮', 'CN', ok],
    ['龚㛃', 'CN', ok],
    ['𠮷田', 'CN', ok],
    ['欧阳娜娜子', 'CN', ok],
    ['买买提·艾力', 'CN', 'NAME_FORMAT'],
    ['林伟1', 'CN', 'NAME_FORMAT'],
    ['Zoë O’Neil', 'FR', ok],
    ['Saidʼa', 'UZ', ok],
    ["Zoë O'Neil-Smith", 'FR', ok],
    ['สมชาย ใจดี', 'TH', ok],
    ['R2D2', 'FR', 'NAME_FORMAT'],
    ['', 'CN', 'REQUIRED'],
  ])('name %j of %s', (text, nationality, code) => expect(nameRule(text, nationality)).toBe(code))

  it.each([
    ['买买提·艾力', ok],
    ['阿卜杜拉·买买提·艾力', ok],
    ['司马相如之子', ok],
    ['·艾力', 'NAME_FORMAT'],
    ['艾力··买买提', 'NAME_FORMAT'],
    ['艾', 'NAME_FORMAT'],
    ['艾·', 'NAME_FORMAT'],
    ['阿'.repeat(21), 'NAME_FORMAT'],
  ])('name %j where the operator takes a middle dot and 20 characters', (text, code) =>
    expect(nameRule(text, 'CN', { maxLength: 20, middleDot: true })).toBe(code),
  )

  it.each([
    [' 林伟\u200b', 'CN', '林伟'],
    ['买买提•艾力', 'CN', '买买提·艾力'],
    ['买买提 ・ 艾力', 'CN', '买买提·艾力'],
    ['Zoë O’Neil ', 'FR', 'Zoë O’Neil'],
  ])('sends the name %j of %s as %j', (text, nationality, sent) =>
    expect(plainName(text, nationality)).toBe(sent),
  )

  it.each([
    ['440301199003124', 'CN', ok],
    ['44030119900312451X', 'CN', ok],
    ['44030119900312451x', 'CN', ok],
    ['4403011990031245', 'CN', 'ID_FORMAT'],
    ['X1234567', 'DE', ok],
    ['123', 'DE', 'ID_FORMAT'],
    ['', 'DE', 'REQUIRED'],
  ])('id %j of %s', (text, nationality, code) => expect(idNumberRule(text, nationality)).toBe(code))

  it.each([
    ['', ok],
    ['a@b.co', ok],
    ['a@b', 'EMAIL_FORMAT'],
    ['a b@c.de', 'EMAIL_FORMAT'],
    ['a@b..de', 'EMAIL_FORMAT'],
  ])('email %j', (text, code) => expect(emailRule(text)).toBe(code))

  it.each([
    ['', 'REQUIRED'],
    ['1234', ok],
    ['12345', 'CAPTCHA_FORMAT'],
    ['12a4', 'CAPTCHA_FORMAT'],
  ])('captcha %j', (text, code) => expect(captchaRule(text)).toBe(code))
})
