import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { skippedText } from '../../contract/recordingReader.ts'
import { buildVenue, type Venue, type VenueParts } from '../app.ts'
import type { BusAddress } from '../platform/cluster/openBus.ts'
import type { Settings } from './config.ts'
import { assertSameCurrency, assertSameMode } from './databaseMode.ts'
import { afterTheLease } from '../platform/db/afterTheLease.ts'
import type { Db } from '../platform/db/database.ts'
import { LeaseLostError, type Fence } from '../platform/db/fence.ts'
import type { DataDirLock } from '../platform/db/lock.ts'
import { hasEmbeddedDatabase, openLockedDatabase, type Database } from '../platform/db/open.ts'
import { databaseName, withDataDirErrors } from '../platform/db/operatorErrors.ts'
import { readSetting } from '../platform/db/settingValue.ts'
import type { DatabaseTrouble } from '../platform/db/trouble.ts'
import type { EngineThreadParts } from './engine/engineThread.ts'
import {
  assertRecordingsDir,
  type PreparedReplay,
  loadProducts,
  type FeedSettings,
  type MarketProduct,
  type ProductRow,
} from '../market/index.ts'
import type { Listener } from '../platform/http/listener.ts'
import { databaseOutages, logError } from '../platform/log.ts'
import { createPasswords } from '../members/index.ts'
import { publishedSettingsOf } from './publishedSettings.ts'
import { systemRandom } from '../platform/random.ts'
import { logOriginSettingKey, openSecrets, type Secrets } from '../platform/secrets.ts'
import { step } from './startProgress.ts'
import { assertProductsListed, assertSourcesUnchanged } from '../trading/index.ts'

/** Called when the process can no longer serve and must stop; with a LeaseLostError it must end at once. */
export type OnLost = (error: unknown) => void

/** What every start has opened before it differs by role. */
export type StartedParts = {
  settings: Settings
  rows: ProductRow[]
  listener: Listener
  address: AddressInfo
  lock: DataDirLock
  cleanups: Cleanups
  logger: Logger
  onLost: OnLost
}

/** What was opened, to be closed in the reverse order. */
export class Cleanups {
  readonly #steps: (() => Promise<unknown>)[] = []

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step)
  }

  /** Runs every step; throws the first error at the end. */
  async run(): Promise<void> {
    const errors: unknown[] = []
    for (const step of this.#steps.splice(0).toReversed())
      await step().catch((error: unknown) => errors.push(error))
    if (errors.length > 0) throw errors[0]
  }
}

/** Work that other steps of a start need not wait for: its error is thrown where its end is awaited. */
export function settledLater<T>(work: Promise<T>): () => Promise<T> {
  work.catch(() => undefined)
  return () => work
}

export type ProductTable = {
  rows: ProductRow[]
  feeds: FeedSettings
  /** What `products` replay, for another thread. */
  replays: Map<string, PreparedReplay>
  products: MarketProduct[]
}

/** The sources of the product table. */
async function loadProductTable(rows: ProductRow[], settings: Settings): Promise<ProductTable> {
  const { recordingsDir, closedPauseMs, feed, mode, exchanges } = settings
  const readsRecordings = feed !== 'live' && rows.some((row) => 'recording' in row.feed)
  if (readsRecordings) await assertRecordingsDir(recordingsDir)
  const feeds = { feed, recordingsDir, closedPauseMs, live: { ...exchanges, mode } }
  const replays = new Map<string, PreparedReplay>()
  return { rows, feeds, replays, products: await loadProducts(rows, feeds, replays) }
}

/**
 * Opens the database while the sources of the product table are read. A new embedded database waits for them, because it
 * would write files before a bad recording is found.
 * @throws what `open` throws, otherwise ProductsError
 */
export async function openWithProductTable<T>(
  { rows, settings, logger }: Pick<StartedParts, 'rows' | 'settings' | 'logger'>,
  open: () => Promise<T>,
): Promise<{ opened: T; productTable: ProductTable }> {
  const table = step(logger, 'loading products and recordings', () => loadProductTable(rows, settings))
  const isNew = settings.databaseUrl === null && !hasEmbeddedDatabase(settings.dataDir)
  if (isNew) await table
  // Both are awaited even if one fails, so that what was opened is known and can be closed.
  const [opened, productTable] = await Promise.allSettled([open(), table])
  if (opened.status === 'rejected') throw opened.reason
  if (productTable.status === 'rejected') throw productTable.reason
  return { opened: opened.value, productTable: productTable.value }
}

/**
 * What a leader does before it opens the log: it checks that the database is this venue's, opens the keys, and checks
 * that open orders have their product and its source.
 * @throws SettingsError with one line
 */
export async function prepareToLead(
  { db, fence }: { db: Db; fence: Fence },
  products: readonly MarketProduct[],
  settings: Settings,
): Promise<Secrets> {
  await assertSameMode(db, fence, settings.mode)
  await assertSameCurrency(db, fence, settings.currency)
  const secrets = await openVenueSecrets({ db, fence }, settings)
  await assertProductsListed(db, products)
  if (!settings.refundChangedSources) await assertSourcesUnchanged(db, products)
  return secrets
}

/** @param fence null at a node that does not lead: it stores nothing */
export function openVenueSecrets(
  { db, fence }: { db: Db; fence: Fence | null },
  settings: Settings,
): Promise<Secrets> {
  const { dataDir } = settings
  return withDataDirErrors(settings, () => openSecrets({ dataDir, db, fence }, settings))
}

/** Builds the venue and serves. */
export async function serveVenue(
  { settings, logger, listener, cleanups }: StartedParts,
  parts: Pick<VenueParts, 'database' | 'fence' | 'clock' | 'clockCheck' | 'engine' | 'secrets' | 'cluster'>,
  products: readonly MarketProduct[],
): Promise<Venue> {
  const passwords = createPasswords(systemRandom)
  await warnOfLogName(settings, parts.database.db, logger)
  const venue = await step(logger, 'reading what is open and settling what is due', () =>
    buildVenue({ ...parts, settings, logger, listener, random: systemRandom, passwords }),
  )
  cleanups.add(() => venue.close())
  logSkippedRows(products, logger)
  return venue
}

/** The name of the public log cannot be changed later, and a shared database is not for trying the venue out. */
async function warnOfLogName({ databaseUrl, publicUrl }: Settings, db: Db, logger: Logger): Promise<void> {
  if (databaseUrl === null || publicUrl !== null) return
  if ((await readSetting(db, logOriginSettingKey)) === undefined)
    logger.warn('PUBLIC_URL is not set: the public log of this database is named uptick.invalid for good')
}

/** What the engine's thread is started with. */
export function engineThreadParts(
  { database, productTable, bus }: { database: Database; productTable: ProductTable; bus: BusAddress | null },
  venueSettings: Settings,
  logger: Logger,
  onLost: OnLost,
): EngineThreadParts {
  const { rows, feeds, replays } = productTable
  const { zone, tickRetentionMs } = venueSettings
  const published = publishedSettingsOf(venueSettings)
  return {
    settings: {
      database: database.address(),
      products: rows,
      feeds,
      replays,
      zone,
      tickRetentionMs,
      published,
      bus,
    },
    report: (message, error) => logError(logger, message, error),
    logLine: (level, message) => logger[level](message),
    onLost: (error) => {
      if (!(error instanceof LeaseLostError)) logger.fatal({ err: error }, 'the engine ended')
      onLost(error)
    },
  }
}

/** Opens the database, and lets the log tell of its outages by its name. */
export async function openVenueDatabase(
  settings: Settings,
  lock: DataDirLock,
  logger: Logger,
  onLost: OnLost,
): Promise<Database> {
  const report = afterTheLease((error) => logError(logger, 'the database failed', error))
  const onBackgroundError = (error: unknown): void => {
    report(error)
    if (error instanceof Error && error.name === 'EmbeddedClosedError') onLost(error)
  }
  const name = databaseName(settings.databaseUrl)
  const isNew = settings.databaseUrl === null && !hasEmbeddedDatabase(settings.dataDir)
  const onWaiting = ({ what, code }: DatabaseTrouble): void =>
    logger.warn(`starting: ${name} ${what} (${code}): waiting for it`)
  const database = await step(logger, isNew ? 'creating the database' : 'opening the database', () =>
    withDataDirErrors(settings, () =>
      openLockedDatabase({ ...settings, onBackgroundError, onWaiting }, lock),
    ),
  )
  databaseOutages(logger).watch(name, () => database.pool.query('SELECT 1'))
  const migrate = (): Promise<void> =>
    step(logger, 'bringing its tables up to date', () => database.migrate())
  return { ...database, migrate }
}

/** Gives up the owner's rights. Where roles cannot be made, triggers hold as before, and a session could remove them. */
export async function leaveOwnerRole(database: Database, logger: Logger): Promise<void> {
  if (await database.useRoles()) return
  logger.warn(
    'the database login may not create roles: it stays the owner of the tables, and could remove what guards them',
  )
}

function logSkippedRows(products: readonly MarketProduct[], logger: Logger): void {
  for (const { settings, source } of products) {
    const skipped = source.kind === 'live' ? null : source.skipped
    const text = skipped === null ? undefined : skippedText(skipped)
    if (text === undefined) continue
    logger.warn(
      { product: settings.id, count: skipped?.count, reasons: skipped?.reasons },
      `rows of its recording are not ticks: skipped ${text}`,
    )
  }
}
