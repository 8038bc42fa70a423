import * as z from 'zod/mini'
import { china, phoneCountry } from '../../contract/phones.ts'
import { specifiedChineseNames } from '../../contract/rules.ts'
import { retention } from '../../contract/retention.ts'
import { wholeNumber } from '../platform/settingSchemas.ts'
import type { Mode, PlatformConfig, PlatformSettings } from '../platform/settings.ts'

/** The fields of CONFIG_FILE about accounts and their data. */
export const membersConfig = z.object({
  /** Whether a new password takes effect without approval by the office. */
  passwordSelfService: z._default(z.boolean(), false),
  /** What one address does before its devices have to work for more; higher where many members share one. */
  freePerAddress: z.prefault(
    z.strictObject({
      /** And wrong passwords an hour. */
      logInsAMinute: z._default(wholeNumber(1, 100_000), 10),
      registrationsAnHour: z._default(wholeNumber(1, 100_000), 20),
      forgottenPasswordsAnHour: z._default(wholeNumber(1, 100_000), 20),
    }),
    {},
  ),
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
  /** Which names of Chinese nationals are accepted: how many characters, and whether with a middle dot. */
  chineseNames: z._default(
    z.strictObject({
      maxLength: z._default(wholeNumber(2, 50), specifiedChineseNames.maxLength),
      middleDot: z._default(z.boolean(), specifiedChineseNames.middleDot),
    }),
    specifiedChineseNames,
  ),
  /** How long the photos of a rejected verification are kept after the decision. */
  rejectedPhotosKeptDays: z._default(
    z.int({ error: 'must be a whole number of days' }).check(z.gte(0), z.lte(3650)),
    retention.rejectedPhotos.count,
  ),
  /** How long the verification and withdrawal account of a closed account are kept: what law asks for. */
  closedDataKeptYears: z._default(
    z
      .int({ error: 'must be a whole number of years' })
      .check(z.gte(0, { error: 'must not be below 0' }), z.lte(100, { error: 'must be at most 100' })),
    retention.closedData.count,
  ),
})
export type MembersConfig = PlatformConfig & z.infer<typeof membersConfig>

/** The same under `practice`. */
export const membersPractice = z.object({
  /** Opens practice accounts, like members' own codes and those of the desk. */
  openingCode: z.optional(
    z.string().check(z.regex(/^[\w-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _ or -' })),
  ),
})

export type MembersSettings = PlatformSettings & {
  /** The code that opens an account in practice mode; null in live mode. */
  openingCode: string | null
  operatorConfig: MembersConfig
}

export const readMembersSettings = (
  { MODE }: { MODE: Mode },
  { practice }: { practice: z.infer<typeof membersPractice> },
): Omit<MembersSettings, keyof PlatformSettings> => ({
  openingCode: MODE === 'practice' ? (practice.openingCode ?? 'UPTICK') : null,
})
