import * as z from 'zod/mini'
import { china, phoneCountry } from '../contract/phones.ts'
import { fundConfig, holidaysConfig } from './fund/fundConfig.ts'
import { depositMethodSetting } from './wallet/depositMethods.ts'

const webAddress = z
  .string()
  .check(z.refine((value) => isWebAddress(value), { error: 'must be an http or https address' }))

/**
 * What the operator says about the site in CONFIG_FILE. Only the parts that stand here are read, and what the file
 * leaves out stays as it is here.
 */
export const operatorConfig = z.object({
  /** Shown as the application's name. */
  name: z._default(
    z.string().check(z.minLength(1, { error: 'must not be empty' }), z.maxLength(60)),
    'Uptick',
  ),
  /** An outside customer service page; null keeps to the built-in one. */
  serviceUrl: z._default(z.nullable(webAddress), null),
  /** Another host for pictures; empty for the venue itself. */
  imageBaseHost: z._default(z.union([z.literal(''), webAddress]), ''),
  /** Whether a new password takes effect without the desk. */
  passwordSelfService: z._default(z.boolean(), false),
  /** The countries whose phone numbers open accounts, the first one preset, each with its rule. */
  phoneRules: z._default(
    z.array(phoneCountry).check(
      z.minLength(1, { error: 'must name at least one country' }),
      z.maxLength(250),
      z.refine((rules) => new Set(rules.map(({ country }) => country)).size === rules.length, {
        error: 'must name each country once',
      }),
    ),
    [china],
  ),
  /** Ways to deposit in live mode; practice mode has its own one. */
  depositMethods: z._default(z.array(depositMethodSetting), []),
  /** How long the photos of a rejected verification are kept after the decision. */
  rejectedPhotosKeptDays: z._default(
    z.int({ error: 'must be a whole number of days' }).check(z.gte(0), z.lte(3650)),
    30,
  ),
  /** Days beyond weekends that are no trading days of the fund. */
  holidays: z._default(holidaysConfig, []),
  fund: z.prefault(fundConfig, {}),
})
export type OperatorConfig = z.infer<typeof operatorConfig>

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}
