import { hash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { buildVenue } from './app.ts'
import { clockOffset, systemClock } from './clock.ts'
import type { Settings } from './config.ts'
import { SettingsError } from './config.ts'
import { LeaseLostError } from './db/fence.ts'
import { takeLease } from './db/lease.ts'
import { openDatabase } from './db/open.ts'
import type { Database } from './db/open.ts'
import { openThreadEngine } from './engine/threadEngine.ts'
import { loadProducts } from './feed/load.ts'
import type { FeedSettings, MarketProduct } from './feed/load.ts'
import type { ProductRow } from './feed/products.ts'
import { readProducts } from './feed/table.ts'
import { createFront } from './http/front.ts'
import { newestWatermark } from './market/flush-store.ts'
import { systemRandom } from './random.ts'
import { openSecrets } from './secrets.ts'
import { refuseMissingProducts, refuseSourceChange } from './trading/sourceChange.ts'

export type RunningVenue = {
  address: AddressInfo
  /** Finishes what is under way, then lets go of the port and the data folder. */
  stop(): Promise<void>
}

/**
 * Starts the venue: product table, port, data folder, database, lease, engine, HTTP, in the order in which each can
 * still be refused without a trace. From the port on it answers 503 until it serves.
 * @param onLost called when the database or the engine is gone for good and the venue must stop; with a LeaseLostError
 *   the process must end at once
 * @throws SettingsError, ProductsError, DataDirLockedError, LeaseHeldError, or the system's error for a port that
 *   cannot be had
 */
export async function startVenue(
  settings: Settings,
  logger: Logger,
  onLost: (error: unknown) => void,
): Promise<RunningVenue> {
  const table = await openTable(settings)
  const undo: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    const faults: unknown[] = []
    for (const step of undo.splice(0).toReversed()) await step().catch((error: unknown) => faults.push(error))
    if (faults.length > 0) throw faults[0]
  }
  try {
    const front = createFront(systemClock())
    const address = await front.listen(settings.port, settings.host)
    undo.push(() => front.close())
    const database = await inDataDir(settings, () => open(settings, logger, onLost))
    undo.push(() => database.close())
    const lease = await takeLease(database, settings.databaseUrl, onLost)
    undo.push(() => lease.release())
    await database.migrate()
    const fence = await lease.begin(`${settings.host}:${address.port}`)
    const { db } = database
    const secrets = await inDataDir(settings, () =>
      openSecrets({ dataDir: settings.dataDir, db, fence }, settings),
    )
    await refuseMissingProducts(db, table.products)
    if (settings.sourceChange === null) await refuseSourceChange(db, table.products)
    const offsetMs = clockOffset(await newestWatermark(db))
    const clock = systemClock(offsetMs)
    const engine = await openThreadEngine({
      db,
      clock,
      sha: (text) => hash('sha256', text),
      products: table.products,
      settings: {
        database: database.address(),
        products: table.rows,
        feeds: table.feeds,
        clockOffsetMs: offsetMs,
        zone: settings.zone,
        ticksKeepMs: settings.ticksKeepMs,
        term: fence.term,
      },
      report: (what, error) => logger.error({ err: error }, what),
      tell: (what) => logger.error(what),
      onLost: (error) => {
        if (!(error instanceof LeaseLostError)) logger.fatal({ err: error }, 'the engine ended')
        onLost(error)
      },
    })
    undo.push(() => engine.stop())
    const venue = await buildVenue({
      database,
      fence,
      clock,
      engine,
      settings,
      secrets,
      logger,
      front,
      random: systemRandom,
    })
    undo.push(() => venue.close())
    tellSkipped(table.products, logger)
    return { address, stop }
  } catch (error) {
    await stop().catch((fault: unknown) => logger.error({ err: fault }, 'undoing the start failed'))
    throw error
  }
}

type ProductTable = { rows: ProductRow[]; feeds: FeedSettings; products: MarketProduct[] }

/** The product table with its sources, read before anything is opened. */
async function openTable(settings: Settings): Promise<ProductTable> {
  const { productsFile, recordingsDir, closedPauseMs, feed } = settings
  if (feed === 'live') throw new SettingsError('FEED=live is not built yet')
  const rows = await readProducts(productsFile)
  const feeds = { feed, recordingsDir, closedPauseMs }
  return { rows, feeds, products: await loadProducts(rows, feeds) }
}

/** What the system says about the data folder (no folder, no right, no room) is the operator's to put right. */
async function inDataDir<T>({ dataDir }: Settings, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && 'path' in error && 'code' in error) {
      throw new SettingsError(`DATA_DIR ${dataDir} cannot be used (${String(error.code)})`)
    }
    throw error
  }
}

async function open(
  { dataDir, databaseUrl }: Settings,
  logger: Logger,
  onLost: (error: unknown) => void,
): Promise<Database> {
  const onBackgroundError = (error: unknown): void => {
    logger.error({ err: error }, 'the database failed')
    if (error instanceof Error && error.name === 'EmbeddedClosedError') onLost(error)
  }
  try {
    return await openDatabase({ dataDir, onBackgroundError, ...(databaseUrl !== null && { databaseUrl }) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (databaseUrl !== null && code !== '') throw new SettingsError(`DATABASE_URL does not answer (${code})`)
    throw error
  }
}

function tellSkipped(products: readonly MarketProduct[], logger: Logger): void {
  for (const { settings, source } of products) {
    if (source.skipped === 0) continue
    logger.warn(
      { product: settings.id, count: source.skipped },
      'rows of its recording are no ticks: skipped',
    )
  }
}
