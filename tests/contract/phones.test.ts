import { describe, expect, it } from 'vitest'
import { fieldErrors } from '../../contract/errors.ts'
import {
  china,
  phoneCountry,
  canonicalPhone,
  phoneRule,
  plainPhone,
  type PhoneCountry,
} from '../../contract/phones.ts'
import { passwordRule } from '../../contract/rules.ts'
import { registerCheckOf } from '../../contract/auth.ts'

const ok = undefined
const singapore: PhoneCountry = { country: 'SG', dialCode: '65', pattern: '[89]\\d{7}' }

it.each([
  ['', 'REQUIRED'],
  ['13800138000', ok],
  ['19912345678', ok],
  ['12800138000', 'PHONE_FORMAT'],
  ['16012345678', 'PHONE_FORMAT'],
  ['1380013800', 'PHONE_FORMAT'],
  ['138001380001', 'PHONE_FORMAT'],
])('phone %j', (text, code) => expect(phoneRule(text)).toBe(code))

it.each([
  ['', 'REQUIRED'],
  ['81234567', ok],
  ['61234567', 'PHONE_FORMAT'],
  ['812345678', 'PHONE_FORMAT'],
  ['13800138000', 'PHONE_FORMAT'],
])('Singapore phone %j', (text, code) => expect(phoneRule(text, singapore)).toBe(code))

it.each([
  '13800138000',
  ' 138 0013 8000 ',
  '138-0013-8000',
  '(138) 0013–8000',
  '（138）0013－8000',
  '１３８００１３８０００',
  '๑๓๘๐๐๑๓๘๐๐๐',
  '+86 138 0013 8000',
  '+8613800138000',
  '＋86 138 0013 8000',
  '(+86) 138-0013-8000',
  '0086 13800138000',
  '8613800138000',
  '\u202a13800138000\u202c',
  '\ufeff+86\u00a0138\u202f0013\u200b8000',
])('reads %j as the number that the rule describes', (text) => expect(plainPhone(text)).toBe('13800138000'))

it.each([
  ['+65 8123 4567', '+6581234567'],
  ['86 138', '86138'],
  ['+86+8613800138000', '+86+8613800138000'],
  ['12800138000', '12800138000'],
])('leaves %j to the rule as %j, because it fits only without another code', (text, plain) =>
  expect(plainPhone(text)).toBe(plain),
)

it('removes the dialling code of the chosen country, and never digits of a number that fits', () => {
  expect(plainPhone('+65 8123 4567', singapore)).toBe('81234567')
  expect(plainPhone('65812345', { dialCode: '65', pattern: '\\d{8}' })).toBe('65812345')
})

it('matches each alternative of a pattern against the whole number', () => {
  const either = { pattern: '1|22' }
  expect([phoneRule('1', either), phoneRule('22', either)]).toEqual([ok, ok])
  expect(phoneRule('122', either)).toBe('PHONE_FORMAT')
})

it('canonicalPhone adds the dialling code, except for Chinese numbers', () => {
  expect(canonicalPhone(china, '13800138000')).toBe('13800138000')
  expect(canonicalPhone(singapore, '81234567')).toBe('+6581234567')
})

it('rejects the phone number as a password, with or without its dialling code', () => {
  const own = { phone: canonicalPhone(singapore, '81234567') }
  expect(passwordRule('81234567', own)).toBe('PASSWORD_WEAK')
  expect(passwordRule('+6581234567', own)).toBe('PASSWORD_WEAK')
  expect(passwordRule('81234568', own)).toBe(ok)
  expect(passwordRule('38001380', { phone: '13800138001' })).toBe(ok)
})

it.each([
  { ...singapore, country: 'sg' },
  { ...singapore, dialCode: '+65' },
  { ...singapore, dialCode: '0' },
  { ...singapore, pattern: '(' },
  { ...singapore, pattern: '' },
])('rejects the country rule %j', (rule) => expect(phoneCountry.safeParse(rule).success).toBe(false))

describe('registerCheckOf', () => {
  const good = { account: 'lin_wei88', phone: '13800138000', openingCode: 'X' }
  const errorsOf = (body: object) => {
    const { error } = registerCheckOf([china, singapore]).safeParse(body)
    return error && fieldErrors(error.issues, body)
  }
  it.each([
    [{}, ok],
    [{ country: 'CN' }, ok],
    [{ country: 'SG', phone: '81234567' }, ok],
    [{ phone: '81234567' }, { phone: 'PHONE_FORMAT' }],
    [{ country: 'SG' }, { phone: 'PHONE_FORMAT' }],
    [{ country: 'US' }, { country: 'INVALID' }],
    [{ country: 7 }, { country: 'TYPE' }],
    [{ phone: undefined }, { phone: 'REQUIRED' }],
    [{ phone: '' }, { phone: 'REQUIRED' }],
    [{ phone: 7 }, { phone: 'TYPE' }],
    [
      { account: '', phone: '1', openingCode: '' },
      { account: 'REQUIRED', phone: 'PHONE_FORMAT', openingCode: 'REQUIRED' },
    ],
  ])('%j → %j', (change, fields) => expect(errorsOf({ ...good, ...change })).toEqual(fields))
})
