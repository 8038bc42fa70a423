import * as z from 'zod/mini'
import { parseMoney } from '../contract/money.ts'
import { china, phoneCountry } from '../contract/phones.ts'
import { countryNames } from '../contract/venueConfig.ts'
import { fundConfig, holidaysConfig } from './fund/fundConfig.ts'
import { depositMethodSetting } from './wallet/depositMethodSetting.ts'

const webAddress = z
  .string()
  .check(z.refine((value) => isWebAddress(value), { error: 'must be an http or https address' }))

/**
 * The operator's CONFIG_FILE. Only the fields listed here are read; a field that the file leaves out has its default.
 */
export const operatorConfig = z.object({
  /** Shown as the application's name. */
  name: z._default(
    z.string().check(z.minLength(1, { error: 'must not be empty' }), z.maxLength(60)),
    'Uptick',
  ),
  /** URL of an external customer service page; null uses the built-in one. */
  serviceUrl: z._default(z.nullable(webAddress), null),
  /** Another host for images; empty for the venue itself. */
  imageBaseHost: z._default(z.union([z.literal(''), webAddress]), ''),
  /** Whether a new password takes effect without approval by the back office. */
  passwordSelfService: z._default(z.boolean(), false),
  /** The countries whose phone numbers can open accounts, each with its rule; the first one is preset. */
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
  /** Names of countries and regions that replace Unicode's short names, by country code and language. */
  countryNames: z._default(countryNames, {}),
  /** Deposit methods in live mode; practice mode has its own. */
  depositMethods: z._default(z.array(depositMethodSetting), []),
  /** How long the photos of a rejected verification are kept after the decision. */
  rejectedPhotosKeptDays: z._default(
    z.int({ error: 'must be a whole number of days' }).check(z.gte(0), z.lte(3650)),
    30,
  ),
  /** Withdrawals above this amount are approved by two persons. */
  withdrawalFourEyesAbove: z._default(
    z
      .string()
      .check(z.refine((value) => parseMoney(value) !== null, { error: 'must be money with two decimals' })),
    '1000.00',
  ),
  /** Days other than weekends that are not trading days of the fund. */
  holidays: z._default(holidaysConfig, []),
  fund: z.prefault(fundConfig, {}),
})
export type OperatorConfig = z.infer<typeof operatorConfig>
/** The part of the settings with these fields of the CONFIG_FILE. */
export type OperatorSettings<Field extends keyof OperatorConfig> = {
  operatorConfig: Pick<OperatorConfig, Field>
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}
