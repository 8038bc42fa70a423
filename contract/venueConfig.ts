import * as z from 'zod/mini'
import { languages } from './constants.ts'
import { phoneCountry } from './phones.ts'
import { route } from './route.ts'
import { instant, money } from './schema.ts'

/** Whether the venue accepts new orders at all, and when it automatically does again. */
export const venueStatus = z.object({
  status: z.enum(['up', 'maintenance']),
  opensAt: z.nullable(instant),
})
export type VenueStatus = z.infer<typeof venueStatus>

/** Names of countries and regions, by ISO 3166-1 alpha-2 code and language. */
export const countryNames = z.record(
  z.string().check(z.regex(/^[A-Z]{2}$/, { error: 'must be an ISO 3166-1 alpha-2 code' })),
  z.partialRecord(z.enum(languages), z.string().check(z.minLength(1), z.maxLength(60))),
)
export type CountryNames = z.infer<typeof countryNames>

export const venueConfig = z.object({
  name: z.string(),
  version: z.string(),
  build: z.string(),
  mode: z.enum(['practice', 'live']),
  feed: z.enum(['replay', 'synthetic', 'live']),
  currency: z.string(),
  zone: z.string(),
  businessOffsetMs: z.int(),
  languages: z.array(z.enum(languages)),
  defaultLanguage: z.enum(languages),
  imageBaseHost: z.string(),
  amount: z.object({ max: money, decimals: z.int() }),
  levels: z.array(z.object({ level: z.int(), key: z.string() })),
  serviceUrl: z.nullable(z.string()),
  passwordSelfService: z.boolean(),
  /** Whether the socket may be opened over long polling; left out if not. */
  longPolling: z.optional(z.boolean()),
  siteStatus: venueStatus.shape.status,
  /** The verifier key of the public log, `<name>+<hash>+<base64>`; null until its first leaf can be signed. */
  logKey: z.nullable(z.string()),
  /** The verifier keys of the witnesses that are asked to cosign the public log. */
  logWitnesses: z.array(z.string()),
  /** How long withdrawals are paused after a new withdrawal account and other security changes; 0 for no pause. */
  withdrawalRestHours: z.int(),
  /** Names of countries and regions that differ from the language's own. */
  countryNames: z.optional(countryNames),
  /** The countries whose phone numbers can open accounts, the first one preselected; default: only China. */
  phoneRules: z.optional(z.array(phoneCountry)),
  /** Which names of Chinese nationals are accepted; default: the specification's. */
  chineseNames: z.optional(z.object({ maxLength: z.int(), middleDot: z.boolean() })),
  /** Who runs the venue, line by line: company, licence, address. */
  company: z.optional(z.array(z.string())),
  /** When customer service answers, by language. */
  serviceHours: z.optional(z.partialRecord(z.enum(languages), z.string())),
  /** When maintenance of the site ends automatically; set only if it does. */
  siteOpensAt: z.optional(venueStatus.shape.opensAt),
})
export type VenueConfig = z.infer<typeof venueConfig>

export const venueRoutes = {
  time: route({
    method: 'GET',
    path: '/time',
    summary: "The venue's clock",
    status: 200,
    answer: z.object({ now: instant }),
  }),
  config: route({
    method: 'GET',
    path: '/config',
    summary: "The venue's configuration",
    status: 200,
    answer: venueConfig,
  }),
}
