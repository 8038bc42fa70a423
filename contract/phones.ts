import * as z from 'zod/mini'
import type { FieldCode } from './errors.ts'
import { phonePattern } from './rules.ts'

/** A country whose numbers open accounts, and how they look: as written there, without the country's own code. */
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

/** What holds where nothing is set. */
export const china: PhoneCountry = { country: 'CN', dialCode: '86', pattern: phonePattern.source }

/** The rule of a country; where none is named, that of the first one. */
export const phoneCountryOf = (
  rules: readonly PhoneCountry[],
  country: string | undefined,
): PhoneCountry | undefined =>
  country === undefined ? rules[0] : rules.find((rule) => rule.country === country)

/** Judges a number by its country's rule. */
export function phoneRule(
  text: string,
  { pattern }: Pick<PhoneCountry, 'pattern'> = china,
): FieldCode | undefined {
  if (text === '') return 'REQUIRED'
  return patternOf(pattern)?.test(text) === true ? undefined : 'PHONE_FORMAT'
}

/** The number that tells people apart. Chinese ones stand alone, as they did before other countries were offered. */
export const canonicalPhone = ({ country, dialCode }: PhoneCountry, phone: string): string =>
  country === china.country ? phone : `+${dialCode}${phone}`

function patternOf(source: string): RegExp | null {
  try {
    return new RegExp(`^(?:${source})$`, 'u')
  } catch {
    return null
  }
}
