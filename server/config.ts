import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import type { Minor } from '../contract/brand.ts'
import { parseMoney } from '../contract/money.ts'
import { hourMs } from '../contract/time.ts'
import { readConfigFile } from './configFile.ts'
import type { ExchangeSettings } from './feed/live/exchanges.ts'
import {
  exchangeEnvironment,
  findUnencryptedExchange,
  readExchangeSettings,
} from './feed/live/exchangeSettings.ts'
import { defaultProductsFile } from './feed/productsFile.ts'
import { readFormerSettings } from './formerSettings.ts'
import type { TrustProxy } from './http/clientAddress.ts'
import { logWitnessOf } from './logWitnesses.ts'
import type { LogWitness } from './logWitnesses.ts'
import type { OperatorConfig } from './operatorConfig.ts'
import { projectRoot } from './paths.ts'
import { findUnsafeConnection } from './plainConnections.ts'
import { SettingsError } from './settingsError.ts'
import type { StartOptions } from './startOptions.ts'
import {
  isBareOrigin,
  isBusUrl,
  isPostgresUrl,
  isSameDatabase,
  isTrustProxy,
  parseTrustProxy,
} from './settingValues.ts'
import { noVenueKeys, parseVenueKey, venueKeyRule } from './venueKey.ts'
import type { VenueKeys } from './venueKey.ts'

export { SettingsError }

export type Mode = 'practice' | 'live'
/**
 * What a node does. `all`: everything, alone. `auto`: may lead, and serves members in any case. `edge`: serves members and
 * hands orders to the leader.
 */
export type Role = 'all' | 'auto' | 'edge'
export type FeedKind = 'replay' | 'synthetic' | 'live'

/** Everything that the environment sets, validated. */
export type Settings = {
  port: number
  host: string
  /** Origin that members use. */
  publicUrl: string | null
  /** Number of proxies in front, or their addresses. */
  trustProxy: TrustProxy
  dataDir: string
  databaseUrl: string | null
  /** Of the tables' owner, for migrations and rights; null where the venue's own login is the owner. */
  databaseOwnerUrl: string | null
  role: Role
  /** Names this node in its metrics. */
  nodeName: string | null
  /** Where the nodes of a venue meet; null with the role `all`. */
  busUrl: string | null
  mode: Mode
  feed: FeedKind
  productsFile: string
  recordingsDir: string
  closedPauseMs: number
  /** Whether open orders whose source changed get their stakes back; otherwise there is no start. */
  refundChangedSources: boolean
  /** The code that opens an account in practice mode; null in live mode. */
  openingCode: string | null
  practiceBalance: Minor
  /** How long withdrawals rest after a change that a thief could have made; 0 if they do not. */
  withdrawalRestMs: number
  currency: string
  zone: string
  tickRetentionMs: number
  /** If the data folder's disk has fewer free bytes, photos are not accepted. */
  uploadsFreeMinBytes: number
  rateLimits: boolean
  backOfficeKey: string | null
  /** Whether this start may have another desk key than the starts before it. */
  backOfficeKeyChange: boolean
  backOfficeRemote: boolean
  /** Gives access to the metrics only; null if only the desk key does. */
  metricsKey: string | null
  /** When sensitive acts of the back office need two persons; `auto`: once two members of staff are active. */
  fourEyes: 'on' | 'auto'
  /** Whether the staff may work only with a second factor. */
  staffSecondFactor: boolean
  uploadKey: string | null
  idempotencyKey: string | null
  logKey: string | null
  /** What these keys are read from, if it is in the environment. */
  venueKey: string | null
  /** Whether the three are derived from one key. */
  isOneKey: boolean
  /** Who is asked to cosign the public log's checkpoints. */
  logWitnesses: readonly LogWitness[]
  logLevel: string
  /** Addresses and keys of the exchanges that live feeds listen to. */
  exchanges: ExchangeSettings
  operatorConfig: OperatorConfig
  /** One line for each setting of the release before that is in use. */
  formerSettings: readonly string[]
}

/** The opening balance of an account in practice mode; null in live mode. */
export const practiceBalanceOf = ({
  mode,
  practiceBalance,
}: Pick<Settings, 'mode' | 'practiceBalance'>): Minor | null => (mode === 'practice' ? practiceBalance : null)

const megabyte = 1024 * 1024
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const nonEmpty = (what: string) => z.string().check(z.regex(/\S/, { error: what }))
const port = { error: 'must be a whole number from 0 to 65535' }
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values as unknown as [T[number], ...T[number][]], { error: `must be ${values.join(' or ')}` })
const refined = (what: string, isValid: (value: string) => boolean) =>
  z.string().check(z.refine(isValid, { error: what }))
const postgresUrl = z.optional(refined('must begin with postgres:// or postgresql://', isPostgresUrl))
// It is sent in a header: plain characters only, and no space, which would end the value.
const headerKey = z.optional(
  z.string().check(z.regex(/^[\x21-\x7e]{16,256}$/, { error: 'must have 16 to 256 plain characters' })),
)

const environment = z.object({
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
  FEED: z.optional(oneOf(['replay', 'synthetic', 'live'])),
  PRODUCTS_FILE: z._default(nonEmpty('must be a file'), defaultProductsFile),
  CONFIG_FILE: z._default(nonEmpty('must be a file'), join(projectRoot, 'server/config.json')),
  RATE_LIMITS: z._default(oneOf(['on', 'off']), 'on'),
  VENUE_KEY: z.optional(refined(venueKeyRule, (value) => parseVenueKey(value) !== null)),
  DESK_KEY: headerKey,
  DESK_REMOTE: z._default(oneOf(['0', '1']), '0'),
  METRICS_KEY: headerKey,
  LOG_LEVEL: z._default(oneOf(logLevels), 'info'),
  ...exchangeEnvironment,
})
type Environment = z.infer<typeof environment>
/** The names of all variables; docs/operating.md documents each of them. */
export const settingNames: readonly string[] = Object.keys(environment.shape)

/**
 * Reads and validates every setting; writes nothing.
 * @param given what only this start was told
 * @throws SettingsError with one line that names the setting and what it must be
 */
export function readSettings(env: Record<string, string | undefined>, given: StartOptions = {}): Settings {
  const provided = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  const { variables, fields, options, origins, warnings } = readFormerSettings(
    Object.fromEntries(provided),
    given,
  )
  const parsed = environment.safeParse(variables)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = issue?.path.join('.') ?? 'a setting'
    const origin = origins.get(name)
    throwUnusable(`${origin === undefined ? '' : `${origin}: `}${name} ${issue?.message ?? 'is not usable'}`)
  }
  const values = parsed.data
  const config = readConfigFile(resolve(values.CONFIG_FILE), fields)
  const keys = parseVenueKey(values.VENUE_KEY ?? '') ?? noVenueKeys
  assertCombinations(values, config, keys)
  return {
    ...environmentSettings(values),
    ...configSettings(values, config),
    ...keys,
    venueKey: values.VENUE_KEY ?? null,
    refundChangedSources: options.refundChangedSources === true,
    backOfficeKeyChange: options.newDeskKey === true,
    formerSettings: warnings,
  }
}

const feedOf = ({ MODE, FEED }: Environment): FeedKind => FEED ?? (MODE === 'live' ? 'live' : 'replay')

const roleOf = ({ ROLE, BUS_URL }: Environment): Role => ROLE ?? (BUS_URL === undefined ? 'all' : 'auto')

const environmentSettings = (values: Environment) => ({
  port: values.PORT,
  host: values.HOST,
  publicUrl: values.PUBLIC_URL === undefined ? null : new URL(values.PUBLIC_URL).origin,
  trustProxy: parseTrustProxy(values.TRUST_PROXY),
  dataDir: resolve(values.DATA_DIR),
  databaseUrl: values.DATABASE_URL ?? null,
  databaseOwnerUrl: values.DATABASE_OWNER_URL ?? null,
  role: roleOf(values),
  nodeName: values.NODE_NAME ?? null,
  busUrl: values.BUS_URL ?? null,
  mode: values.MODE,
  feed: feedOf(values),
  productsFile: resolve(values.PRODUCTS_FILE),
  rateLimits: values.RATE_LIMITS === 'on',
  backOfficeKey: values.DESK_KEY ?? null,
  backOfficeRemote: values.DESK_REMOTE === '1',
  metricsKey: values.METRICS_KEY ?? null,
  staffSecondFactor: values.MODE === 'live',
  logLevel: values.LOG_LEVEL,
})

function configSettings(values: Environment, config: OperatorConfig) {
  const { practice } = config
  const isPractice = values.MODE === 'practice'
  return {
    recordingsDir: practice.recordings ?? join(projectRoot, 'streams/recordings'),
    closedPauseMs: practice.closedPauseMs,
    openingCode: isPractice ? (practice.openingCode ?? 'UPTICK') : null,
    practiceBalance: parseMoney(practice.balance) ?? throwUnusable('practice.balance is not money'),
    fourEyes: isPractice ? practice.fourEyes : 'on',
    withdrawalRestMs: (config.withdrawalRestHours ?? (isPractice ? 0 : 24)) * hourMs,
    currency: config.currency,
    zone: config.zone,
    tickRetentionMs: config.ticksKeptHours * hourMs,
    uploadsFreeMinBytes: config.diskFreeMinMb * megabyte,
    logWitnesses: config.logWitnesses.map(logWitnessOf),
    exchanges: readExchangeSettings(config.exchangeAddresses, values),
    operatorConfig: config,
  }
}

/** Rejects settings that are each valid but not together. */
function assertCombinations(values: Environment, config: OperatorConfig, keys: VenueKeys): void {
  if (values.DATABASE_OWNER_URL !== undefined && values.DATABASE_URL === undefined)
    throwUnusable('DATABASE_OWNER_URL needs DATABASE_URL')
  if (values.METRICS_KEY !== undefined && values.METRICS_KEY === values.DESK_KEY)
    throwUnusable('METRICS_KEY must not be DESK_KEY: it only reads the metrics')
  if (values.ROLE !== undefined || values.BUS_URL !== undefined) assertClusterSettings(values, keys)
  if (values.MODE === 'live') assertLiveSettings(values, config, keys)
  if (!isSameDatabase(values)) throwUnusable('DATABASE_OWNER_URL must name the database of DATABASE_URL')
}

function assertLiveSettings(values: Environment, config: OperatorConfig, keys: VenueKeys): void {
  if (values.DATABASE_URL === undefined) throwUnusable('MODE=live needs DATABASE_URL')
  if (feedOf(values) !== 'live') throwUnusable('MODE=live needs FEED=live, or no FEED')
  if (values.PUBLIC_URL?.startsWith('https:') !== true) throwUnusable('MODE=live needs an https PUBLIC_URL')
  if (config.practice.openingCode !== undefined) throwUnusable('MODE=live takes no practice.openingCode')
  if (values.RATE_LIMITS === 'off') throwUnusable('MODE=live takes no RATE_LIMITS=off')
  if (keys.uploadKey === null || keys.idempotencyKey === null) throwUnusable('MODE=live needs a VENUE_KEY')
  const exchange = findUnencryptedExchange(config.exchangeAddresses)
  if (exchange !== undefined)
    throwUnusable(
      `exchangeAddresses.${exchange} must be encrypted (wss or https) in MODE=live beyond this machine`,
    )
  const unsafe = findUnsafeConnection(values)
  if (unsafe !== undefined) throwUnusable(`${unsafe} in MODE=live`)
}

/** What the nodes of one venue share comes from outside: a node must not make a key of its own. */
function assertClusterSettings(values: Environment, keys: VenueKeys): void {
  const missing = (['DATABASE_URL', 'BUS_URL', 'VENUE_KEY', 'DESK_KEY'] as const).filter(
    (name) => values[name] === undefined,
  )
  const who = values.ROLE === undefined ? 'BUS_URL' : `ROLE=${values.ROLE}`
  if (missing.length > 0) throwUnusable(`${who} needs ${missing.join(', ')}`)
  const isWhole = [keys.uploadKey, keys.idempotencyKey, keys.logKey].every((key) => key !== null)
  if (!isWhole) throwUnusable(`${who} needs all three keys in VENUE_KEY`)
}

function throwUnusable(line: string): never {
  throw new SettingsError(line)
}
