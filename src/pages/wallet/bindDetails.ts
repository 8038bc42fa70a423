import * as z from 'zod/mini'
import { toHalfWidth } from '../../../contract/halfWidth.ts'
import { fieldErrors } from '../../../contract/errors.ts'
import type { FieldCode } from '../../../contract/errors.ts'
import { accountDetails, bindAccount } from '../../../contract/withdrawals.ts'
import type { AccountDetails } from '../../../contract/withdrawals.ts'

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

/** The details to send; the password if they are confirmed by it. */
export type BindDetails = AccountDetails & { transactionPassword?: string | undefined }

/**
 * Validates the form by the contract's schema: returns the details to send, or one code per invalid field.
 * @param isByPasskey a passkey will confirm them, so there is no password
 */
export function validateBindDetails(
  type: AccountType,
  texts: BindTexts,
  isByPasskey = false,
): { details: BindDetails } | { errors: Partial<Record<BindField, FieldCode>> } {
  const names = bindFields[type].filter((name) => !isByPasskey || name !== 'transactionPassword')
  const body = { type, ...Object.fromEntries(names.map((name) => [name, normalize(name, texts[name])])) }
  const parsed = isByPasskey ? z.safeParse(accountDetails, body) : z.safeParse(bindAccount, body)
  return parsed.success ? { details: parsed.data } : { errors: fieldErrors(parsed.error.issues, body) }
}
