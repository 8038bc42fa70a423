import { hash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { buildVenue } from './app.ts'
import { clockOffset, systemClock } from './clock.ts'
import type { Settings } from './config.ts'
import { assertSameCurrency, assertSameMode } from './databaseMode.ts'
import { LeaseLostError } from './db/fence.ts'
import { acquireLease } from './db/lease.ts'
import type { Lease } from './db/lease.ts'
import { lockDataDir } from './db/lock.ts'
import type { DataDirLock } from './db/lock.ts'
import { withDataDirErrors, withOperatorErrors } from './db/operatorErrors.ts'
import { openLockedDatabase } from './db/open.ts'
import type { Database } from './db/open.ts'
import type { Engine } from './engine/engine.ts'
import { openThreadEngine } from './engine/threadEngine.ts'
import { assertRecordingsDir } from './feed/recordingFile.ts'
import { loadProducts } from './feed/loadProducts.ts'
import type { FeedSettings, MarketProduct } from './feed/loadProducts.ts'
import type { ProductRow } from './feed/products.ts'
import { readProducts } from './feed/productsFile.ts'
import { createListener } from './http/listener.ts'
import { logError } from './log.ts'
import { createPasswords } from './members/passwords.ts'
import { readNewestWatermark } from './market/log/flushStore.ts'
import type { Clock } from './ports.ts'
import { systemRandom } from './random.ts'
import { openSecrets } from './secrets.ts'
import { assertProductsListed, assertSourcesUnchanged } from './trading/sourceChange.ts'

export type RunningVenue = {
  address: AddressInfo
  /** Finishes the work in progress, then releases the port and the data folder. */
  stop(): Promise<void>
}

/**
 * Starts the venue: product table, port, data folder, recordings, database, lease, engine, HTTP. The order is such that
 * each step can still fail without leaving anything behind, and that a second start is rejected before the slow steps.
 * Once the port is open, requests get 503 until the venue serves.
 * @param onLost called when the database or the engine is gone for good and the venue must stop; with a LeaseLostError
 *   the process must end at once
 * @throws SettingsError, ProductsError, DataDirLockedError, LeaseHeldError, or the system's error if the port is not
 *   available
 */
export async function startVenue(
  settings: Settings,
  logger: Logger,
  onLost: (error: unknown) => void,
): Promise<RunningVenue> {
  const rows = await readProducts(settings.productsFile)
  const cleanups: Cleanup[] = []
  const stop = async (): Promise<void> => {
    const errors: unknown[] = []
    for (const step of cleanups.splice(0).toReversed())
      await step().catch((error: unknown) => errors.push(error))
    if (errors.length > 0) throw errors[0]
  }
  try {
    const listener = createListener(systemClock())
    const address = await listener.listen(settings.port, settings.host)
    cleanups.push(() => listener.close())
    const lock = await withDataDirErrors(settings, () => lockDataDir(settings.dataDir))
    cleanups.push(() => lock.release())
    const openWithLease = () => openLeasedDatabase(settings, lock, cleanups, logger, onLost)
    // Only PostgreSQL can still reject this start. The embedded one would write files before a bad recording is found.
    const opened = settings.databaseUrl === null ? null : await openWithLease()
    const productTable = await loadProductTable(rows, settings)
    const { database, lease } = opened ?? (await openWithLease())
    await database.migrate()
    const fence = await lease.begin(`${settings.host}:${address.port}`)
    const { db } = database
    await assertSameMode(db, fence, settings.mode)
    await assertSameCurrency(db, fence, settings.currency)
    const secrets = await withDataDirErrors(settings, () =>
      openSecrets({ dataDir: settings.dataDir, db, fence }, settings),
    )
    await assertProductsListed(db, productTable.products)
    if (settings.sourceChange === null) await assertSourcesUnchanged(db, productTable.products)
    const offsetMs = clockOffset(await readNewestWatermark(db))
    const clock = systemClock(offsetMs)
    const engine = await openEngine(
      { database, clock, offsetMs, term: fence.term },
      productTable,
      settings,
      logger,
      onLost,
    )
    cleanups.push(() => engine.stop())
    const venue = await buildVenue({
      database,
      fence,
      clock,
      engine,
      settings,
      secrets,
      logger,
      listener,
      random: systemRandom,
      passwords: await createPasswords(systemRandom),
    })
    cleanups.push(() => venue.close())
    logSkippedRows(productTable.products, logger)
    return { address, stop }
  } catch (error) {
    await stop().catch((cleanupError: unknown) =>
      logger.error({ err: cleanupError }, 'cleaning up after a failed start failed'),
    )
    throw error
  }
}

type ProductTable = { rows: ProductRow[]; feeds: FeedSettings; products: MarketProduct[] }

/** The sources of the product table. */
async function loadProductTable(rows: ProductRow[], settings: Settings): Promise<ProductTable> {
  const { recordingsDir, closedPauseMs, feed, mode, exchanges } = settings
  const readsRecordings = feed !== 'live' && rows.some((row) => 'recording' in row.feed)
  if (readsRecordings) await assertRecordingsDir(recordingsDir)
  const feeds = { feed, recordingsDir, closedPauseMs, live: { ...exchanges, mode } }
  return { rows, feeds, products: await loadProducts(rows, feeds) }
}

type EngineParts = { database: Database; clock: Clock; offsetMs: number; term: number }

function openEngine(
  { database, clock, offsetMs, term }: EngineParts,
  { products, rows, feeds }: ProductTable,
  { zone, tickRetentionMs }: Settings,
  logger: Logger,
  onLost: (error: unknown) => void,
): Promise<Engine> {
  return openThreadEngine({
    db: database.db,
    clock,
    sha: (text) => hash('sha256', text),
    random: systemRandom,
    products,
    settings: {
      database: database.address(),
      products: rows,
      feeds,
      clockOffsetMs: offsetMs,
      zone,
      tickRetentionMs,
      term,
    },
    report: (message, error) => logError(logger, message, error),
    warn: (message) => logger.error(message),
    onLost: (error) => {
      if (!(error instanceof LeaseLostError)) logger.fatal({ err: error }, 'the engine ended')
      onLost(error)
    },
  })
}

type Cleanup = () => Promise<void>
type LeasedDatabase = { database: Database; lease: Lease }

async function openLeasedDatabase(
  settings: Settings,
  lock: DataDirLock,
  cleanups: Cleanup[],
  logger: Logger,
  onLost: (error: unknown) => void,
): Promise<LeasedDatabase> {
  const database = await withOperatorErrors(settings, () => openVenueDatabase(settings, lock, logger, onLost))
  cleanups.push(() => database.close())
  const lease = await acquireLease(database, settings.databaseUrl, onLost)
  cleanups.push(() => lease.release())
  return { database, lease }
}

function openVenueDatabase(
  { dataDir, databaseUrl }: Settings,
  lock: DataDirLock,
  logger: Logger,
  onLost: (error: unknown) => void,
): Promise<Database> {
  const onBackgroundError = (error: unknown): void => {
    logError(logger, 'the database failed', error)
    if (error instanceof Error && error.name === 'EmbeddedClosedError') onLost(error)
  }
  const database = { dataDir, onBackgroundError, ...(databaseUrl !== null && { databaseUrl }) }
  return openLockedDatabase(database, lock)
}

function logSkippedRows(products: readonly MarketProduct[], logger: Logger): void {
  for (const { settings, source } of products) {
    if (source.kind === 'live' || source.skipped === 0) continue
    logger.warn(
      { product: settings.id, count: source.skipped },
      'rows of its recording are not ticks: skipped',
    )
  }
}
