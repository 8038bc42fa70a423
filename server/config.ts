import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod/mini'
import type { Minor } from '../contract/brand.ts'
import { parseMoney } from '../contract/money.ts'
import { dayMs, hourMs } from '../contract/time.ts'
import { colourProblem } from './branding/themeColours.ts'
import type { ExchangeSettings } from './feed/live/exchanges.ts'
import { exchangeEnvironment, readExchangeSettings } from './feed/live/exchangeSettings.ts'
import { defaultProductsFile } from './feed/productsFile.ts'
import type { TrustProxy } from './http/clientAddress.ts'
import { projectRoot } from './paths.ts'
import { parseLogWitnesses } from './logWitnesses.ts'
import { findUnsafeConnection } from './plainConnections.ts'
import type { LogWitness } from './logWitnesses.ts'
import { operatorConfig } from './operatorConfig.ts'
import type { OperatorConfig } from './operatorConfig.ts'
import { describeIssues } from './schemaIssues.ts'
import {
  isBareOrigin,
  isBusUrl,
  isPostgresUrl,
  isSameDatabase,
  isTimeZone,
  isTrustProxy,
  parseTrustProxy,
} from './settingValues.ts'

/** A setting that cannot be used. The message is one line for the operator. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

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
  /** Past a transaction pooler, for the lease and migrations; null with the embedded database. */
  databaseDirectUrl: string | null
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
  /** What to do with open orders whose source changed: return their stakes, or do not start (null). */
  sourceChange: 'refund' | null
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
  /** When sensitive acts of the back office need two persons; `auto`: once two members of staff are active. */
  fourEyes: 'on' | 'auto'
  /** Whether the staff may work only with a second factor. */
  staffSecondFactor: boolean
  uploadKey: string | null
  idempotencyKey: string | null
  logKey: string | null
  /** Who is asked to cosign the public log's checkpoints. */
  logWitnesses: readonly LogWitness[]
  logLevel: string
  /** Addresses and keys of the exchanges that live feeds listen to. */
  exchanges: ExchangeSettings
  operatorConfig: OperatorConfig
}

/** The opening balance of an account in practice mode; null in live mode. */
export const practiceBalanceOf = ({
  mode,
  practiceBalance,
}: Pick<Settings, 'mode' | 'practiceBalance'>): Minor | null => (mode === 'practice' ? practiceBalance : null)

const megabyte = 1024 * 1024
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const nonEmpty = (what: string) => z.string().check(z.regex(/\S/, { error: what }))
const wholeNumber = (min: number, max: number) => {
  const what = `must be a whole number from ${min} to ${max}`
  return z.pipe(
    z.string().check(z.regex(/^\d{1,15}$/, { error: what })),
    z.pipe(z.transform(Number), z.number().check(z.gte(min, { error: what }), z.lte(max, { error: what }))),
  )
}
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values as unknown as [T[number], ...T[number][]], { error: `must be ${values.join(' or ')}` })
const refined = (what: string, isValid: (value: string) => boolean) =>
  z.string().check(z.refine(isValid, { error: what }))

const hexKey = z.string().check(z.regex(/^[0-9a-f]{64}$/i, { error: 'must be 64 hexadecimal characters' }))

const environment = z.object({
  PORT: z._default(wholeNumber(0, 65_535), 8080),
  HOST: z._default(nonEmpty('must be an address to listen on'), '127.0.0.1'),
  PUBLIC_URL: z.optional(refined('must be an http or https address without a path', isBareOrigin)),
  TRUST_PROXY: z._default(
    refined('must be a number of proxies, a list of their addresses, or off', isTrustProxy),
    'off',
  ),
  DATA_DIR: z._default(nonEmpty('must be a folder'), './data'),
  DATABASE_URL: z.optional(refined('must begin with postgres:// or postgresql://', isPostgresUrl)),
  DATABASE_DIRECT_URL: z.optional(refined('must begin with postgres:// or postgresql://', isPostgresUrl)),
  DATABASE_OWNER_URL: z.optional(refined('must begin with postgres:// or postgresql://', isPostgresUrl)),
  ROLE: z._default(oneOf(['all', 'auto', 'edge']), 'all'),
  NODE_NAME: z.optional(
    z.string().check(z.regex(/^[\w.:-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _ . : or -' })),
  ),
  BUS_URL: z.optional(refined('must be nats:// or tls:// addresses, divided by commas', isBusUrl)),
  INTERNAL_TLS: z._default(oneOf(['required', 'off']), 'required'),
  MODE: z._default(oneOf(['practice', 'live']), 'practice'),
  FEED: z._default(oneOf(['replay', 'synthetic', 'live']), 'replay'),
  PRODUCTS_FILE: z._default(nonEmpty('must be a file'), defaultProductsFile),
  RECORDINGS_DIR: z._default(nonEmpty('must be a folder'), join(projectRoot, 'streams/recordings')),
  CLOSED_PAUSE_MS: z._default(wholeNumber(0, 7 * dayMs), 60_000),
  SOURCE_CHANGE: z.optional(oneOf(['refund'])),
  OPENING_CODE: z.optional(
    z.string().check(z.regex(/^[\w-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _ or -' })),
  ),
  PRACTICE_BALANCE: z._default(
    refined('must be money with two decimals, such as 10000.00', (value) => (parseMoney(value) ?? -1) >= 0),
    '10000.00',
  ),
  WITHDRAWAL_REST_HOURS: z.optional(wholeNumber(0, 30 * 24)),
  CURRENCY: z._default(
    z.string().check(z.regex(/^[A-Z]{3,5}$/, { error: 'must be a currency code such as USD' })),
    'USD',
  ),
  ZONE: z._default(refined('must be a time zone such as Asia/Shanghai', isTimeZone), 'Asia/Shanghai'),
  TICKS_KEEP_H: z._default(wholeNumber(1, 24 * 3650), 72),
  DISK_FREE_MIN_MB: z._default(wholeNumber(0, 1_000_000_000), 512),
  RATE_LIMITS: z._default(oneOf(['on', 'off']), 'on'),
  DESK_KEY: z.optional(
    // It is sent in a header: plain characters only, and no space, which would end the value.
    z.string().check(z.regex(/^[\x21-\x7e]{16,256}$/, { error: 'must have at least 16 plain characters' })),
  ),
  DESK_KEY_CHANGE: z.optional(oneOf(['replace'])),
  DESK_REMOTE: z._default(oneOf(['0', '1']), '0'),
  FOUR_EYES: z._default(oneOf(['auto', 'on']), 'auto'),
  UPLOAD_KEY: z.optional(hexKey),
  IDEMPOTENCY_KEY: z.optional(hexKey),
  LOG_KEY: z.optional(hexKey),
  LOG_WITNESSES: z.optional(
    refined(
      'must be pairs of an address and a verifier key, such as https://witness.example example+…, divided by commas',
      (value) => parseLogWitnesses(value) !== null,
    ),
  ),
  CONFIG_FILE: z._default(nonEmpty('must be a file'), join(projectRoot, 'server/config.json')),
  LOG_LEVEL: z._default(oneOf(logLevels), 'info'),
  ...exchangeEnvironment,
})
type Environment = z.infer<typeof environment>
/** The names of all settings; docs/operating.md documents each of them. */
export const settingNames: readonly string[] = Object.keys(environment.shape)

/**
 * Reads and validates every setting; writes nothing.
 * @throws SettingsError with one line that names the setting and what it must be
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const provided = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(provided)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SettingsError(`${issue?.path.join('.') ?? 'a setting'} ${issue?.message ?? 'is not usable'}`)
  }
  const values = parsed.data
  assertCombinations(values)
  const practice = values.MODE === 'practice'
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL === undefined ? null : new URL(values.PUBLIC_URL).origin,
    trustProxy: parseTrustProxy(values.TRUST_PROXY),
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL ?? null,
    databaseOwnerUrl: values.DATABASE_OWNER_URL ?? null,
    role: values.ROLE,
    nodeName: values.NODE_NAME ?? null,
    busUrl: values.ROLE === 'all' ? null : (values.BUS_URL ?? null),
    mode: values.MODE,
    feed: values.FEED,
    productsFile: resolve(values.PRODUCTS_FILE),
    recordingsDir: resolve(values.RECORDINGS_DIR),
    closedPauseMs: values.CLOSED_PAUSE_MS,
    sourceChange: values.SOURCE_CHANGE ?? null,
    openingCode: practice ? (values.OPENING_CODE ?? 'UPTICK') : null,
    practiceBalance: parseMoney(values.PRACTICE_BALANCE) ?? throwUnusable('PRACTICE_BALANCE is not money'),
    withdrawalRestMs: (values.WITHDRAWAL_REST_HOURS ?? (practice ? 0 : 24)) * hourMs,
    currency: values.CURRENCY,
    zone: values.ZONE,
    tickRetentionMs: values.TICKS_KEEP_H * hourMs,
    uploadsFreeMinBytes: values.DISK_FREE_MIN_MB * megabyte,
    rateLimits: values.RATE_LIMITS === 'on',
    backOfficeKey: values.DESK_KEY ?? null,
    backOfficeKeyChange: values.DESK_KEY_CHANGE !== undefined,
    backOfficeRemote: values.DESK_REMOTE === '1',
    fourEyes: practice ? values.FOUR_EYES : 'on',
    staffSecondFactor: !practice,
    uploadKey: values.UPLOAD_KEY ?? null,
    idempotencyKey: values.IDEMPOTENCY_KEY ?? null,
    logKey: values.LOG_KEY ?? null,
    logWitnesses: parseLogWitnesses(values.LOG_WITNESSES ?? '') ?? [],
    logLevel: values.LOG_LEVEL,
    exchanges: readExchangeSettings(values),
    operatorConfig: readOperatorConfig(resolve(values.CONFIG_FILE)),
  }
}

/** Rejects settings that are each valid but not together. */
function assertCombinations(values: Environment): void {
  if (values.DATABASE_DIRECT_URL !== undefined && values.DATABASE_URL === undefined)
    throwUnusable('DATABASE_DIRECT_URL needs DATABASE_URL')
  if (values.DATABASE_OWNER_URL !== undefined && values.DATABASE_URL === undefined)
    throwUnusable('DATABASE_OWNER_URL needs DATABASE_URL')
  if (values.ROLE !== 'all') assertClusterSettings(values)
  if (values.MODE === 'live') {
    if (values.DATABASE_URL === undefined) throwUnusable('MODE=live needs DATABASE_URL')
    if (values.FEED !== 'live') throwUnusable('MODE=live needs FEED=live')
    if (values.PUBLIC_URL?.startsWith('https:') !== true) throwUnusable('MODE=live needs an https PUBLIC_URL')
    if (values.OPENING_CODE !== undefined) throwUnusable('MODE=live takes no OPENING_CODE')
    if (values.RATE_LIMITS === 'off') throwUnusable('MODE=live takes no RATE_LIMITS=off')
    if (values.UPLOAD_KEY === undefined) throwUnusable('MODE=live needs an UPLOAD_KEY')
    if (values.IDEMPOTENCY_KEY === undefined) throwUnusable('MODE=live needs an IDEMPOTENCY_KEY')
    const unsafe = findUnsafeConnection(values)
    if (unsafe !== undefined) throwUnusable(`${unsafe} in MODE=live`)
  }
  if (!isSameDatabase(values)) throwUnusable('DATABASE_OWNER_URL must name the database of DATABASE_URL')
}

/** What the nodes of one venue share comes from outside: a node must not make a key of its own. */
function assertClusterSettings(values: Environment): void {
  const needed = ['DATABASE_URL', 'BUS_URL', 'UPLOAD_KEY', 'IDEMPOTENCY_KEY', 'LOG_KEY', 'DESK_KEY'] as const
  const missing = needed.filter((name) => values[name] === undefined)
  if (missing.length > 0) throwUnusable(`ROLE=${values.ROLE} needs ${missing.join(', ')}`)
}

function readOperatorConfig(file: string): OperatorConfig {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new SettingsError(`CONFIG_FILE ${file} ${reason}`)
  }
  const parsed = operatorConfig.safeParse(json, { reportInput: true })
  if (!parsed.success) {
    const lines = describeIssues(operatorConfig, parsed.error.issues)
    throw new SettingsError(`CONFIG_FILE ${file}: ${lines.join('; ')}`)
  }
  const { colours, logo, pages, ...config } = parsed.data
  const problem = colourProblem(colours)
  if (problem !== null) throw new SettingsError(`CONFIG_FILE ${file}: ${problem}`)
  // Files are named from where the file is.
  const beside = (path: string): string => resolve(dirname(file), path)
  return {
    ...config,
    colours,
    ...(logo !== undefined && { logo: beside(logo) }),
    ...(pages !== undefined && { pages: beside(pages) }),
  }
}

function throwUnusable(line: string): never {
  throw new SettingsError(line)
}
