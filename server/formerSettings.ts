import { resolve } from 'node:path'
import { SettingsError } from './settingsError.ts'
import type { StartOptions } from './startOptions.ts'

export type Variables = Readonly<Record<string, string>>
/** A field of CONFIG_FILE that a former variable gives. */
export type FormerField = { name: string; path: readonly string[]; value: unknown }

/** What a former variable stands for. */
type Present = {
  /** Variables of today; null: one that has to go. */
  variables?: Readonly<Record<string, string | null>>
  field?: Omit<FormerField, 'name'>
  options?: StartOptions
}
type Former = {
  /** `NAME`, or `NAME=value` for a value that is no longer one; several that are one setting now. */
  names: readonly string[]
  /** Where it is now, as the operator reads it. */
  now: string
  read(text: string, env: Variables): Present
}

const field = (name: string, path: string, valueOf: (text: string) => unknown = (text) => text): Former => ({
  names: [name],
  now: `${path} of CONFIG_FILE`,
  read: (text) => ({ field: { path: path.split('.'), value: valueOf(text) } }),
})
/** A text that is no number is left as it is, and refused like a field that is none. */
const number = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text)

const option = (name: string, only: string, argument: string, options: StartOptions): Former => ({
  names: [name],
  now: `the option ${argument} of npm start`,
  read: (text) => {
    if (text !== only) throw new SettingsError(`${name} must be ${only}`)
    return { options }
  },
})

const keyNames = ['UPLOAD_KEY', 'IDEMPOTENCY_KEY', 'LOG_KEY'] as const

/** Every variable of the release before, and where it is now. It is read in this release, and a start says so. */
const formerSettings: readonly Former[] = [
  {
    names: keyNames,
    now: 'VENUE_KEY: the upload, idempotency and log key with colons between them',
    read: (_text, env) => ({ variables: { VENUE_KEY: keyNames.map((name) => env[name] ?? '').join(':') } }),
  },
  {
    names: ['ROLE=auto'],
    now: 'BUS_URL without ROLE',
    read: (_text, env) => {
      if (env['BUS_URL'] === undefined) throw new SettingsError('ROLE=auto needs BUS_URL')
      return { variables: { ROLE: null } }
    },
  },
  {
    names: ['ROLE=all'],
    now: 'a start without ROLE and BUS_URL',
    read: () => ({ variables: { ROLE: null, BUS_URL: null } }),
  },
  {
    names: ['DATABASE_DIRECT_URL'],
    now: '',
    read: () => {
      throw new SettingsError(
        'DATABASE_DIRECT_URL is gone, as the venue no longer works behind a pooler: ' +
          'a node opens some 20 connections. Set DATABASE_URL to the database itself and remove it',
      )
    },
  },
  option('SOURCE_CHANGE', 'refund', '--refund-changed-sources', { refundChangedSources: true }),
  option('DESK_KEY_CHANGE', 'replace', '--new-desk-key', { newDeskKey: true }),
  field('RECORDINGS_DIR', 'practice.recordings', (text) => resolve(text)),
  field('CLOSED_PAUSE_MS', 'practice.closedPauseMs', number),
  field('OPENING_CODE', 'practice.openingCode'),
  field('PRACTICE_BALANCE', 'practice.balance'),
  field('FOUR_EYES', 'practice.fourEyes'),
  field('WITHDRAWAL_REST_HOURS', 'withdrawalRestHours', number),
  field('CURRENCY', 'currency'),
  field('ZONE', 'zone'),
  field('TICKS_KEEP_H', 'ticksKeptHours', number),
  field('DISK_FREE_MIN_MB', 'diskFreeMinMb', number),
  field('LOG_WITNESSES', 'logWitnesses', witnesses),
  field('EXCHANGE_URL_BINANCE', 'exchangeAddresses.binance'),
  field('EXCHANGE_URL_BINANCE_USDM', 'exchangeAddresses.binance-usdm'),
  field('EXCHANGE_URL_COINBASE', 'exchangeAddresses.coinbase'),
  field('EXCHANGE_URL_KRAKEN', 'exchangeAddresses.kraken'),
  field('EXCHANGE_URL_OANDA', 'exchangeAddresses.oanda'),
]

/** Pairs of an address and a verifier key, divided by commas. */
function witnesses(text: string): unknown {
  const pairs = text.split(',').map((pair) => pair.trim().split(/\s+/))
  return pairs
    .filter(([address]) => address !== '')
    .map(([address, ...key]) => ({ address, key: key.join(' ') }))
}

export type PresentSettings = {
  variables: Variables
  fields: readonly FormerField[]
  options: StartOptions
  /** By variable, the former names that it is from. */
  origins: ReadonlyMap<string, string>
  /** One line for the operator for each former setting. */
  warnings: readonly string[]
}

/**
 * Reads the variables of the release before as what they are now.
 * @param env every variable that is set
 * @throws SettingsError with one line for one that cannot be used, or that differs from what it is now
 */
export function readFormerSettings(env: Variables, given: StartOptions): PresentSettings {
  const variables: Record<string, string> = { ...env }
  const fields: FormerField[] = []
  const origins = new Map<string, string>()
  const warnings: string[] = []
  let options = given
  for (const former of formerSettings) {
    const names = former.names.filter((name) => isGiven(env, name))
    if (names.length === 0) continue
    const name = names.join(', ')
    const present = former.read(env[names[0]?.split('=')[0] ?? ''] ?? '', env)
    for (const each of names) if (!each.includes('=')) delete variables[each]
    for (const [variable, text] of Object.entries(present.variables ?? {})) {
      if (text === null) delete variables[variable]
      else {
        if (env[variable] !== undefined && env[variable] !== text)
          throw new SettingsError(`${name} and ${variable} differ: leave ${name} out`)
        variables[variable] = text
        origins.set(variable, name)
      }
    }
    if (present.field) fields.push({ name, ...present.field })
    options = { ...options, ...present.options }
    warnings.push(formerLine(name, former.now))
  }
  return { variables, fields, options, origins, warnings }
}

/** What the operator reads about a former setting. @param now where it is now */
export const formerLine = (name: string, now: string): string =>
  `${name}: former setting, read in this release only; now ${now}`

function isGiven(env: Variables, name: string): boolean {
  const [variable = '', value] = name.split('=')
  return value === undefined ? env[variable] !== undefined : env[variable] === value
}
