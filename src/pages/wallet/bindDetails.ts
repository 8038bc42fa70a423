import * as z from 'zod/mini'
import { toHalfWidth, withoutInvisible } from '../../../contract/halfWidth.ts'
import { fieldErrors, type FieldCode } from '../../../contract/errors.ts'
import { accountDetails, bindAccount, type AccountDetails } from '../../../contract/withdrawals.ts'

export const accountTypes = ['bank', 'crypto'] as const
export type AccountType = (typeof accountTypes)[number]

export const bindFields = {
  bank: ['accountName', 'nationality', 'bank', 'cardNumber', 'accountAddress', 'transactionPassword'],
  crypto: ['accountName', 'nationality', 'currency', 'currencyAddress', 'memo', 'transactionPassword'],
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
  memo: '',
  transactionPassword: '',
}

/**
 * A field as it is sent. Numbers are pasted in groups, an input method may produce full-width digits, and invisible marks
 * come along: the venue accepts none of these.
 */
function plainText(name: BindField, text: string): string {
  if (name === 'cardNumber') return withoutInvisible(toHalfWidth(text)).replace(/[\s\p{Pd}\u2212]/gu, '')
  if (name === 'currencyAddress') return withoutInvisible(text).replace(/\s/g, '')
  return name === 'memo' ? withoutInvisible(text).trim() : text
}

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
  const plainTexts = names.map((name) => [name, plainText(name, texts[name])] as const)
  const body = {
    type,
    ...Object.fromEntries(plainTexts.filter(([name, text]) => name !== 'memo' || text !== '')),
  }
  const parsed = isByPasskey ? z.safeParse(accountDetails, body) : z.safeParse(bindAccount, body)
  return parsed.success ? { details: parsed.data } : { errors: fieldErrors(parsed.error.issues, body) }
}
