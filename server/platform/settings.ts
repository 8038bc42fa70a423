import { resolve } from 'node:path'
import * as z from 'zod/mini'
import type { TrustProxy } from './http/clientAddress.ts'
import { nonEmpty, oneOf, refined, shortLine, webAddress } from './settingSchemas.ts'
import {
  isBareOrigin,
  isBusUrl,
  isPostgresUrl,
  isTimeZone,
  isTrustProxy,
  parseTrustProxy,
} from './settingValues.ts'
import { noVenueKeys, parseVenueKey, venueKeyRule, type VenueKeys } from './venueKey.ts'

export type Mode = 'practice' | 'live'
/**
 * What a node does. `all`: everything, alone. `auto`: may lead, and serves members in any case. `edge`: serves members and
 * hands orders to the leader.
 */
export type Role = 'all' | 'auto' | 'edge'

const port = { error: 'must be a whole number from 0 to 65535' }
const postgresUrl = z.optional(refined('must begin with postgres:// or postgresql://', isPostgresUrl))
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The variables about the process, its network and its database. */
export const platformEnvironment = z.object({
  PORT: z._default(
    z.pipe(
      z.string().check(z.regex(/^\d{1,5}$/, port)),
      z.pipe(z.transform(Number), z.number().check(z.lte(65_535, port))),
    ),
    8080,
  ),
  HOST: z._default(nonEmpty('must be an address to listen on'), '127.0.0.1'),
  PUBLIC_URL: z.optional(refined('must be an http or https address without a path', isBareOrigin)),
  TRUST_PROXY: z._default(
    refined('must be a number of proxies, a list of their addresses, or off', isTrustProxy),
    'off',
  ),
  DATA_DIR: z._default(nonEmpty('must be a folder'), './data'),
  DATABASE_URL: postgresUrl,
  DATABASE_OWNER_URL: postgresUrl,
  BUS_URL: z.optional(refined('must be nats:// or tls:// addresses, divided by commas', isBusUrl)),
  ROLE: z.optional(z.enum(['edge'], { error: 'must be edge, or left out' })),
  INTERNAL_TLS: z._default(oneOf(['required', 'off']), 'required'),
  NODE_NAME: z.optional(
    z.string().check(z.regex(/^[\w.:-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _ . : or -' })),
  ),
  MODE: z._default(oneOf(['practice', 'live']), 'practice'),
  RATE_LIMITS: z._default(oneOf(['on', 'off']), 'on'),
  VENUE_KEY: z.optional(refined(venueKeyRule, (value) => parseVenueKey(value) !== null)),
  LOG_LEVEL: z._default(oneOf(logLevels), 'info'),
})
type Environment = z.infer<typeof platformEnvironment>

/** The placeholder for the operator's name in the texts of the build. */
export const defaultName = 'Uptick'

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

/** The fields of CONFIG_FILE that say whose venue it is, and in what it counts. */
export const platformConfig = z.object({
  /** Shown as the application's name. */
  name: z._default(shortLine(60), defaultName),
  company: z.optional(company),
  /** Another host for images; empty for the venue itself. */
  imageBaseHost: z._default(z.union([z.literal(''), webAddress]), ''),
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
})
export type PlatformConfig = z.infer<typeof platformConfig>

/** The part of the settings with these fields of an area's part of CONFIG_FILE. */
export type OperatorSettings<Config, Field extends keyof Config> = { operatorConfig: Pick<Config, Field> }

export type PlatformSettings = VenueKeys & {
  port: number
  host: string
  /** Origin that members use. */
  publicUrl: string | null
  /** Number of proxies in front, or their addresses. */
  trustProxy: TrustProxy
  dataDir: string
  databaseUrl: string | null
  /** Of the tables' owner, for the schema and rights; null where the venue's own login is the owner. */
  databaseOwnerUrl: string | null
  role: Role
  /** Names this node in its metrics. */
  nodeName: string | null
  /** Where the nodes of a venue meet; null with the role `all`. */
  busUrl: string | null
  mode: Mode
  currency: string
  zone: string
  rateLimits: boolean
  /** What the three keys are read from, if it is in the environment. */
  venueKey: string | null
  logLevel: string
  operatorConfig: PlatformConfig
}

export const readPlatformSettings = (
  values: Environment,
  config: PlatformConfig,
): Omit<PlatformSettings, 'operatorConfig'> => ({
  port: values.PORT,
  host: values.HOST,
  publicUrl: values.PUBLIC_URL === undefined ? null : new URL(values.PUBLIC_URL).origin,
  trustProxy: parseTrustProxy(values.TRUST_PROXY),
  dataDir: resolve(values.DATA_DIR),
  databaseUrl: values.DATABASE_URL ?? null,
  databaseOwnerUrl: values.DATABASE_OWNER_URL ?? null,
  role: values.ROLE ?? (values.BUS_URL === undefined ? 'all' : 'auto'),
  nodeName: values.NODE_NAME ?? null,
  busUrl: values.BUS_URL ?? null,
  mode: values.MODE,
  currency: config.currency,
  zone: config.zone,
  rateLimits: values.RATE_LIMITS === 'on',
  ...(parseVenueKey(values.VENUE_KEY ?? '') ?? noVenueKeys),
  venueKey: values.VENUE_KEY ?? null,
  logLevel: values.LOG_LEVEL,
})
