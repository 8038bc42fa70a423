import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { BusAddress } from './cluster/natsBus.ts'
import type { Settings } from './config.ts'
import { LeaseLostError } from './db/fence.ts'
import type { DataDirLock } from './db/lock.ts'
import { openLockedDatabase } from './db/open.ts'
import type { Database } from './db/open.ts'
import type { EngineThreadParts } from './engine/engineThread.ts'
import { assertRecordingsDir } from './feed/recordingFile.ts'
import { loadProducts } from './feed/loadProducts.ts'
import type { FeedSettings, MarketProduct } from './feed/loadProducts.ts'
import type { ProductRow } from './feed/products.ts'
import type { Listener } from './http/listener.ts'
import { logError } from './log.ts'

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

export type ProductTable = { rows: ProductRow[]; feeds: FeedSettings; products: MarketProduct[] }

/** The sources of the product table. */
export async function loadProductTable(rows: ProductRow[], settings: Settings): Promise<ProductTable> {
  const { recordingsDir, closedPauseMs, feed, mode, exchanges } = settings
  const readsRecordings = feed !== 'live' && rows.some((row) => 'recording' in row.feed)
  if (readsRecordings) await assertRecordingsDir(recordingsDir)
  const feeds = { feed, recordingsDir, closedPauseMs, live: { ...exchanges, mode } }
  return { rows, feeds, products: await loadProducts(rows, feeds) }
}

/** What the engine's thread is started with. */
export function engineThreadParts(
  { database, productTable, bus }: { database: Database; productTable: ProductTable; bus: BusAddress | null },
  { zone, tickRetentionMs }: Settings,
  logger: Logger,
  onLost: OnLost,
): EngineThreadParts {
  const { rows, feeds } = productTable
  return {
    settings: { database: database.address(), products: rows, feeds, zone, tickRetentionMs, bus },
    report: (message, error) => logError(logger, message, error),
    warn: (message) => logger.error(message),
    onLost: (error) => {
      if (!(error instanceof LeaseLostError)) logger.fatal({ err: error }, 'the engine ended')
      onLost(error)
    },
  }
}

export function openVenueDatabase(
  { dataDir, databaseUrl }: Settings,
  lock: DataDirLock,
  logger: Logger,
  onLost: OnLost,
): Promise<Database> {
  const onBackgroundError = (error: unknown): void => {
    logError(logger, 'the database failed', error)
    if (error instanceof Error && error.name === 'EmbeddedClosedError') onLost(error)
  }
  const database = { dataDir, onBackgroundError, ...(databaseUrl !== null && { databaseUrl }) }
  return openLockedDatabase(database, lock)
}

export function logSkippedRows(products: readonly MarketProduct[], logger: Logger): void {
  for (const { settings, source } of products) {
    if (source.kind === 'live' || source.skipped === 0) continue
    logger.warn(
      { product: settings.id, count: source.skipped },
      'rows of its recording are not ticks: skipped',
    )
  }
}
