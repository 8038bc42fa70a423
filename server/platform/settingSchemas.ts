import * as z from 'zod/mini'
import { parseMoney } from '../../contract/money.ts'

/** The rules that settings of several areas share. What they say completes a line such as `PORT must be a …`. */

export const nonEmpty = (what: string) => z.string().check(z.regex(/\S/, { error: what }))

export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values as unknown as [T[number], ...T[number][]], { error: `must be ${values.join(' or ')}` })

export const refined = (what: string, isValid: (value: string) => boolean) =>
  z.string().check(z.refine(isValid, { error: what }))

/** It is sent in a header: plain characters only, and no space, which would end the value. */
export const headerKey = z.optional(
  z.string().check(z.regex(/^[\x21-\x7e]{16,256}$/, { error: 'must have 16 to 256 plain characters' })),
)

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error }))
}

export const nonEmptyPath = nonEmpty('must be a path')

export const webAddress = refined(
  'must be an http or https address',
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
)

/** An amount, 0.00 or more. */
export const threshold = z
  .string({ error: 'must be money with two decimals, such as "1000.00"' })
  .check(z.refine((value) => (parseMoney(value) ?? -1) >= 0, { error: 'must be money with two decimals' }))

/** A line that is shown as it is. */
export const shortLine = (max: number) =>
  z.string().check(
    z.minLength(1, { error: 'must not be empty' }),
    z.maxLength(max, { error: `must have at most ${max} characters` }),
    // oxlint-disable-next-line no-control-regex -- a control character is what it looks for
    z.refine((text) => !/[\u0000-\u001f\u007f]/.test(text), { error: 'must be one line' }),
  )
