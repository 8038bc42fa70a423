import * as z from 'zod/mini'
import { parseMoney } from '../contract/money.ts'
import { dayMs } from '../contract/time.ts'

/** The part of CONFIG_FILE that live mode has no use for. */
export const practiceConfig = z.strictObject({
  /** Opens practice accounts, like members' own codes and those of the desk. */
  openingCode: z.optional(
    z.string().check(z.regex(/^[\w-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _ or -' })),
  ),
  /** The first balance of a practice account. */
  balance: z._default(
    z.string({ error: 'must be money with two decimals, such as "10000.00"' }).check(
      z.refine((value) => (parseMoney(value) ?? -1) >= 0, {
        error: 'must be money with two decimals, such as 10000.00',
      }),
    ),
    '10000.00',
  ),
  /** When sensitive acts of the back office need two persons; `auto`: once two members of staff are active. */
  fourEyes: z._default(z.enum(['auto', 'on'], { error: 'must be auto or on' }), 'auto'),
  /** The folder of the recordings that the product table names; beside this file, or an absolute path. */
  recordings: z.optional(z.string().check(z.regex(/\S/, { error: 'must be a path' }))),
  /** A recorded pause is played as at most this; 0 plays it as recorded. Milliseconds. */
  closedPauseMs: z._default(wholeNumber(0, 7 * dayMs), 60_000),
})

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error }))
}
