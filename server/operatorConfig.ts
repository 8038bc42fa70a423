import * as z from 'zod/mini'
import { parseMoney } from '../contract/money.ts'
import { china, phoneCountry } from '../contract/phones.ts'
import { languages } from '../contract/constants.ts'
import { countryNames } from '../contract/venueConfig.ts'
import { themeColours } from './branding/themeColours.ts'
import { fundConfig, holidaysConfig } from './fund/fundConfig.ts'
import { exchangeAddresses } from './feed/live/exchangeSettings.ts'
import { logWitnessSetting } from './logWitnesses.ts'
import { practiceConfig, wholeNumber } from './practiceConfig.ts'
import { isTimeZone } from './settingValues.ts'
import { depositMethodSetting } from './wallet/depositMethodSetting.ts'

/** The name that stands for the operator's in the texts of the build. */
export const defaultName = 'Uptick'
const nonEmptyPath = z.string().check(z.regex(/\S/, { error: 'must be a path' }))
const webAddress = z
  .string()
  .check(z.refine((value) => isWebAddress(value), { error: 'must be an http or https address' }))

/** A line that is shown as it is. */
const shortLine = (max: number) =>
  z.string().check(
    z.minLength(1, { error: 'must not be empty' }),
    z.maxLength(max, { error: `must have at most ${max} characters` }),
    // oxlint-disable-next-line no-control-regex -- a control character is what it looks for
    z.refine((text) => !/[\u0000-\u001f\u007f]/.test(text), { error: 'must be one line' }),
  )

/** Who runs the venue, as members read it on the landing page, the page about the venue and their statements. */
const company = z.strictObject({
  name: shortLine(120),
  /** Registration or licence, such as the authority and the number. */
  licence: z.optional(shortLine(200)),
  address: z._default(
    z
      .array(shortLine(120), { error: 'must be a list of lines' })
      .check(z.maxLength(6, { error: 'must have at most 6 lines' })),
    [],
  ),
})

/**
 * The operator's CONFIG_FILE, its one definition: deploy/config.schema.json is made from it. A field that the file leaves
 * out has its default; one that is not listed here is rejected.
 */
export const operatorConfig = z.strictObject({
  /** For editors: where the JSON schema is. */
  $schema: z.optional(z.string()),
  /** Shown as the application's name. */
  name: z._default(shortLine(60), defaultName),
  /** A PNG file, square, that replaces the logo and the icons; beside this file, or an absolute path. */
  logo: z.optional(nonEmptyPath),
  /** Colours that replace those of the app, by theme. */
  colours: z._default(z.strictObject({ light: themeColours, dark: themeColours }), { light: {}, dark: {} }),
  company: z.optional(company),
  /** When customer service answers, by language. */
  serviceHours: z._default(z.partialRecord(z.enum(languages), shortLine(200)), {}),
  /**
   * A folder of standing pages that replace those of the build: `about`, `risk`, `privacy`, `privacy-2` and `fund-rules`, each
   * as `<name>.<language>.md`.
   */
  pages: z.optional(nonEmptyPath),
  /** URL of an external customer service page; null uses the built-in one. */
  serviceUrl: z._default(z.nullable(webAddress), null),
  /** Another host for images; empty for the venue itself. */
  imageBaseHost: z._default(z.union([z.literal(''), webAddress]), ''),
  /** Whether a new password takes effect without approval by the back office. */
  passwordSelfService: z._default(z.boolean(), false),
  /** The countries whose phone numbers can open accounts, each with its rule; the first one is preset. */
  phoneRules: z._default(
    z.array(z.strictObject(phoneCountry.shape)).check(
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
  /** How long verification and payout data of a closed account are kept: what law asks for. */
  closedDataKeptYears: z._default(
    z
      .int({ error: 'must be a whole number of years' })
      .check(z.gte(0, { error: 'must not be below 0' }), z.lte(100, { error: 'must be at most 100' })),
    5,
  ),
  /** Withdrawals above this amount are approved by two persons. */
  withdrawalFourEyesAbove: z._default(
    z
      .string({ error: 'must be money with two decimals, such as "1000.00"' })
      .check(z.refine((value) => isThreshold(value), { error: 'must be money with two decimals' })),
    '1000.00',
  ),
  /** Days other than weekends that are not trading days of the fund. */
  holidays: z._default(holidaysConfig, []),
  fund: z.prefault(fundConfig, {}),
  /** The code beside amounts. */
  currency: z._default(
    z.string().check(z.regex(/^[A-Z]{3,5}$/, { error: 'must be a currency code such as USD' })),
    'USD',
  ),
  /** Of business days. */
  zone: z._default(
    z.string().check(z.refine(isTimeZone, { error: 'must be a time zone such as Asia/Shanghai' })),
    'Asia/Shanghai',
  ),
  /** How long withdrawals rest after a change that a thief could have made; by default 24, in practice mode 0. */
  withdrawalRestHours: z.optional(wholeNumber(0, 30 * 24)),
  /** When ticks are pruned that no proof needs. */
  ticksKeptHours: z._default(wholeNumber(1, 24 * 3650), 72),
  /** Photos are not accepted while the disk of the data folder has less free: megabytes. */
  diskFreeMinMb: z._default(wholeNumber(0, 1_000_000_000), 512),
  /** Who is asked to cosign the public log's checkpoints. */
  logWitnesses: z._default(z.array(logWitnessSetting, { error: 'must be a list' }), []),
  /** Other addresses of the exchanges that live feeds listen to. */
  exchangeAddresses: z._default(exchangeAddresses, {}),
  practice: z.prefault(practiceConfig, {}),
})
export type OperatorConfig = z.infer<typeof operatorConfig>
/** The part of the settings with these fields of the CONFIG_FILE. */
export type OperatorSettings<Field extends keyof OperatorConfig> = {
  operatorConfig: Pick<OperatorConfig, Field>
}

const isThreshold = (value: string): boolean => (parseMoney(value) ?? -1) >= 0

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}
