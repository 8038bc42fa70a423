import * as z from 'zod/mini'
import type { FieldCode } from './errors.ts'
import { toPlainSigns } from './halfWidth.ts'
import { phonePattern } from './rules.ts'

/** A country whose phone numbers can open accounts, and their national format, without the dialling code. */
export const phoneCountry = z.object({
  /** ISO 3166-1 alpha-2. */
  country: z.string().check(z.regex(/^[A-Z]{2}$/, { error: 'must be a country such as CN' })),
  dialCode: z.string().check(z.regex(/^[1-9]\d{0,3}$/, { error: 'must be a dialling code such as 86' })),
  /** A regular expression for the whole number. */
  pattern: z.string().check(
    z.minLength(1),
    z.maxLength(200),
    z.refine((pattern) => patternOf(pattern) !== null, { error: 'must be a regular expression' }),
  ),
})
export type PhoneCountry = z.infer<typeof phoneCountry>

/** The default. */
export const china: PhoneCountry = { country: 'CN', dialCode: '86', pattern: phonePattern.source }

/** The rule of a country; if none is named, the first one. */
export const phoneCountryOf = (
  rules: readonly PhoneCountry[],
  country: string | undefined,
): PhoneCountry | undefined =>
  country === undefined ? rules[0] : rules.find((rule) => rule.country === country)

/** Validates a number by its country's rule. */
export function phoneRule(
  text: string,
  { pattern }: Pick<PhoneCountry, 'pattern'> = china,
): FieldCode | undefined {
  if (text === '') return 'REQUIRED'
  return patternOf(pattern)?.test(text) === true ? undefined : 'PHONE_FORMAT'
}

/**
 * A number as it is typed or pasted, in the form that its rule describes: without spaces, dashes, brackets, invisible marks
 * and the country's own dialling code.
 */
export function plainPhone(
  text: string,
  { dialCode, pattern }: Pick<PhoneCountry, 'dialCode' | 'pattern'> = china,
): string {
  const number = toPlainSigns(text).replace(/[\s\p{Pd}\u2212()[\]]/gu, '')
  const fits = (candidate: string): boolean => phoneRule(candidate, { pattern }) === undefined
  if (fits(number)) return number
  const national = [`+${dialCode}`, `00${dialCode}`, dialCode]
    .filter((prefix) => number.startsWith(prefix))
    .map((prefix) => number.slice(prefix.length))
  return national.find(fits) ?? number
}

/** The number that identifies a person. Chinese ones have no dialling code, as before other countries were offered. */
export const canonicalPhone = ({ country, dialCode }: PhoneCountry, phone: string): string =>
  country === china.country ? phone : `+${dialCode}${phone}`

function patternOf(source: string): RegExp | null {
  try {
    return new RegExp(`^(?:${source})$`, 'u')
  } catch {
    return null
  }
}
