import * as z from 'zod/mini'
import { toHalfWidth } from '../../../contract/halfWidth.ts'
import { fieldErrors } from '../../../contract/errors.ts'
import type { FieldCode } from '../../../contract/errors.ts'
import { bindAccount } from '../../../contract/withdrawals.ts'
import type { BindAccount } from '../../../contract/withdrawals.ts'

export const accountTypes = ['bank', 'crypto'] as const
export type AccountType = (typeof accountTypes)[number]

export const bindFields = {
  bank: ['accountName', 'nationality', 'bank', 'cardNumber', 'accountAddress', 'transactionPassword'],
  crypto: ['accountName', 'nationality', 'currency', 'currencyAddress', 'transactionPassword'],
} as const
export type BindField = (typeof bindFields)[AccountType][number]
export type BindTexts = Readonly<Record<BindField, string>>

export const noTexts: BindTexts = {
  accountName: '',
  nationality: '',
  bank: '',
  cardNumber: '',
  accountAddress: '',
  currency: '',
  currencyAddress: '',
  transactionPassword: '',
}

/** An input method may produce full-width digits; the venue accepts plain ones only. */
const normalize = (name: BindField, text: string): string =>
  name === 'cardNumber' ? toHalfWidth(text) : text

/** Validates the form by the contract's schema: returns the details to send, or one code per invalid field. */
export function validateBindDetails(
  type: AccountType,
  texts: BindTexts,
): { details: BindAccount } | { errors: Partial<Record<BindField, FieldCode>> } {
  const body = {
    type,
    ...Object.fromEntries(bindFields[type].map((name) => [name, normalize(name, texts[name])])),
  }
  const parsed = z.safeParse(bindAccount, body)
  return parsed.success ? { details: parsed.data } : { errors: fieldErrors(parsed.error.issues, body) }
}
