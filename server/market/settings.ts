import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { dayMs, hourMs } from '../../contract/time.ts'
import { projectRoot } from '../platform/paths.ts'
import { nonEmpty, nonEmptyPath, oneOf, wholeNumber } from '../platform/settingSchemas.ts'
import type { Mode, PlatformSettings } from '../platform/settings.ts'
import type { ExchangeSettings } from './feed/live/exchanges.ts'
import { exchangeAddresses, exchangeEnvironment, readExchangeSettings } from './feed/live/exchangeSettings.ts'
import { defaultProductsFile } from './feed/productsFile.ts'
import { logWitnessOf, logWitnessSetting, type LogWitness } from './publicLog/logWitnesses.ts'

export { findUnencryptedExchange } from './feed/live/exchangeSettings.ts'

export type FeedKind = 'replay' | 'synthetic' | 'live'

/** The variables about products and their prices. */
export const marketEnvironment = z.object({
  FEED: z.optional(oneOf(['replay', 'synthetic', 'live'])),
  PRODUCTS_FILE: z._default(nonEmpty('must be a file'), defaultProductsFile),
  ...exchangeEnvironment,
})

/** The fields of CONFIG_FILE about prices, the tick log and the public log. */
export const marketConfig = z.object({
  /** Whether prices go over long polling where a network blocks WebSocket; a balancer then needs sticky sessions for it. */
  longPolling: z._default(z.boolean(), false),
  /** When ticks are pruned that no proof needs. */
  ticksKeptHours: z._default(wholeNumber(1, 24 * 3650), 72),
  /** Who is asked to cosign the public log's checkpoints. */
  logWitnesses: z._default(z.array(logWitnessSetting, { error: 'must be a list' }), []),
  /** Other addresses of the exchanges that live feeds listen to. */
  exchangeAddresses: z._default(exchangeAddresses, {}),
})
export type MarketConfig = z.infer<typeof marketConfig>

/** The same under `practice`. */
export const marketPractice = z.object({
  /** The folder of the recordings that the product table names; beside this file, or an absolute path. */
  recordings: z.optional(nonEmptyPath),
  /** A recorded pause is played as at most this; 0 plays it as recorded. Milliseconds. */
  closedPauseMs: z._default(wholeNumber(0, 7 * dayMs), 60_000),
})

export type MarketSettings = PlatformSettings & {
  feed: FeedKind
  productsFile: string
  recordingsDir: string
  closedPauseMs: number
  tickRetentionMs: number
  /** Who is asked to cosign the public log's checkpoints. */
  logWitnesses: readonly LogWitness[]
  /** Addresses and keys of the exchanges that live feeds listen to. */
  exchanges: ExchangeSettings
  operatorConfig: MarketConfig
}

export const feedOf = ({ MODE, FEED }: { MODE: Mode; FEED?: FeedKind | undefined }): FeedKind =>
  FEED ?? (MODE === 'live' ? 'live' : 'replay')

export const readMarketSettings = (
  values: z.infer<typeof marketEnvironment> & { MODE: Mode },
  config: MarketConfig & { practice: z.infer<typeof marketPractice> },
): Omit<MarketSettings, keyof PlatformSettings> => ({
  feed: feedOf(values),
  productsFile: resolve(values.PRODUCTS_FILE),
  recordingsDir: config.practice.recordings ?? join(projectRoot, 'streams/recordings'),
  closedPauseMs: config.practice.closedPauseMs,
  tickRetentionMs: config.ticksKeptHours * hourMs,
  logWitnesses: config.logWitnesses.map(logWitnessOf),
  exchanges: readExchangeSettings(config.exchangeAddresses, values),
})
