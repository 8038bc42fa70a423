import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { checksEnvironment, readChecksSettings, type ChecksSettings } from '../checks/settings.ts'
import {
  findUnencryptedExchange,
  feedOf,
  marketEnvironment,
  readMarketSettings,
  type MarketSettings,
} from '../market/settings.ts'
import { readMembersSettings } from '../members/settings.ts'
import { readMoneySettings } from '../money/settings.ts'
import { noticesEnvironment, readNoticesSettings } from '../notices/settings.ts'
import { officeEnvironment, readOfficeSettings, type OfficeSettings } from '../office/settings.ts'
import { projectRoot } from '../platform/paths.ts'
import { findUnsafeConnection } from '../platform/plainConnections.ts'
import { nonEmpty } from '../platform/settingSchemas.ts'
import { SettingsError } from '../platform/settingsError.ts'
import { platformEnvironment, readPlatformSettings } from '../platform/settings.ts'
import { isSameDatabase } from '../platform/settingValues.ts'
import { readConfigFile } from './configFile.ts'
import type { OperatorConfig } from './operatorConfig.ts'
import type { StartOptions } from './startOptions.ts'

/** Everything that the environment sets, validated: what each area reads, and what only a start does. */
export type Settings = MarketSettings &
  OfficeSettings &
  ChecksSettings & {
    /** Whether open orders whose source changed get their stakes back; otherwise there is no start. */
    refundChangedSources: boolean
    /** Whether this start may have another desk key than the starts before it. */
    deskKeyChange: boolean
    operatorConfig: OperatorConfig
  }

const environment = z.object({
  ...platformEnvironment.shape,
  ...marketEnvironment.shape,
  ...noticesEnvironment.shape,
  ...officeEnvironment.shape,
  ...checksEnvironment.shape,
  CONFIG_FILE: z._default(nonEmpty('must be a file'), join(projectRoot, 'server/config.json')),
})
type Environment = z.infer<typeof environment>
/** The names of all variables; docs/operating.md documents each of them. */
export const settingNames: readonly string[] = Object.keys(environment.shape)

/**
 * Reads and validates every setting; writes nothing.
 * @param given the options of this start alone
 * @throws SettingsError with one line that names the setting and what it must be
 */
export function readSettings(env: Record<string, string | undefined>, given: StartOptions = {}): Settings {
  const provided = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  const parsed = environment.safeParse(Object.fromEntries(provided))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = issue?.path.join('.') ?? 'a setting'
    throwUnusable(`${name} ${issue?.message ?? 'is not usable'}`)
  }
  const values = parsed.data
  const config = readConfigFile(resolve(values.CONFIG_FILE))
  assertCombinations(values, config)
  return {
    ...readPlatformSettings(values, config),
    ...readMarketSettings(values, config),
    ...readNoticesSettings(values, config),
    ...readMoneySettings(values, config),
    ...readMembersSettings(values, config),
    ...readOfficeSettings(values, config),
    ...readChecksSettings(values),
    refundChangedSources: given.refundChangedSources === true,
    deskKeyChange: given.newDeskKey === true,
    operatorConfig: config,
  }
}

/** Rejects settings that are each valid but not together. */
function assertCombinations(values: Environment, config: OperatorConfig): void {
  if (values.DATABASE_OWNER_URL !== undefined && values.DATABASE_URL === undefined)
    throwUnusable('DATABASE_OWNER_URL needs DATABASE_URL')
  if (values.METRICS_KEY !== undefined && values.METRICS_KEY === values.DESK_KEY)
    throwUnusable('METRICS_KEY must not be DESK_KEY: it only reads the metrics')
  if (values.ROLE !== undefined || values.BUS_URL !== undefined) assertClusterSettings(values)
  if (values.MODE === 'live') assertLiveSettings(values, config)
  if (!isSameDatabase(values)) throwUnusable('DATABASE_OWNER_URL must name the database of DATABASE_URL')
}

function assertLiveSettings(values: Environment, config: OperatorConfig): void {
  if (values.DATABASE_URL === undefined) throwUnusable('MODE=live needs DATABASE_URL')
  if (feedOf(values) !== 'live') throwUnusable('MODE=live needs FEED=live, or no FEED')
  if (values.PUBLIC_URL?.startsWith('https:') !== true) throwUnusable('MODE=live needs an https PUBLIC_URL')
  if (config.practice.openingCode !== undefined) throwUnusable('MODE=live takes no practice.openingCode')
  if (values.RATE_LIMITS === 'off') throwUnusable('MODE=live takes no RATE_LIMITS=off')
  if (values.VENUE_KEY === undefined) throwUnusable('MODE=live needs a VENUE_KEY')
  const exchange = findUnencryptedExchange(config.exchangeAddresses)
  if (exchange !== undefined)
    throwUnusable(
      `exchangeAddresses.${exchange} must be encrypted (wss or https) in MODE=live beyond this machine`,
    )
  const unsafe = findUnsafeConnection(values)
  if (unsafe !== undefined) throwUnusable(`${unsafe} in MODE=live`)
}

/** What the nodes of one venue share comes from outside: a node must not make a key of its own. */
function assertClusterSettings(values: Environment): void {
  const missing = (['DATABASE_URL', 'BUS_URL', 'VENUE_KEY', 'DESK_KEY'] as const).filter(
    (name) => values[name] === undefined,
  )
  const who = values.ROLE === undefined ? 'BUS_URL' : `ROLE=${values.ROLE}`
  if (missing.length > 0) throwUnusable(`${who} needs ${missing.join(', ')}`)
}

function throwUnusable(line: string): never {
  throw new SettingsError(line)
}
