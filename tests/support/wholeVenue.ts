import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '../../server/start/config.ts'
import type { Database } from '../../server/platform/db/database.ts'
import type { Fence } from '../../server/platform/db/fence.ts'
import { loadProducts } from '../../server/market/feed/loadProducts.ts'
import { parseProducts } from '../../server/market/feed/products.ts'
import { createMarket } from '../../server/market/market.ts'
import type { Clock } from '../../server/platform/ports.ts'
import { systemRandom } from '../../server/platform/random.ts'
import { openSecrets } from '../../server/platform/secrets.ts'
import { proofRanges } from '../../server/trading/orders/proofRanges.ts'
import { testFence } from './testFence.ts'
import { openTestVenue } from './testVenue.ts'

export type WholeVenueParts = {
  database: Database
  clock: Clock
  /** A product table in the format of PRODUCTS_FILE. */
  table: unknown
  recordingsDir: string
  dataDir: string
  /** Of a database that `leadDatabase` has led: it checks results and money, as in production. */
  fence?: Fence
  /** The built client, if a browser is used. */
  clientDir?: string
}

/**
 * A test venue on a free port, with the venue's own market and feeds instead of ticks from the test. Opened again on the
 * same database and folder it is the same venue after a restart.
 */
export async function openWholeVenue(parts: WholeVenueParts) {
  const { database, clock, table, recordingsDir, dataDir, clientDir, fence = testFence } = parts
  const settings = readSettings({ DATA_DIR: dataDir })
  const { feed, closedPauseMs, tickRetentionMs } = settings
  if (feed === 'live') throw new Error('replay is the default')
  const marketErrors: unknown[] = []
  const market = await createMarket({
    db: database.db,
    fence,
    clock,
    random: systemRandom,
    products: await loadProducts(parseProducts(table), { feed, recordingsDir, closedPauseMs }),
    tickRetentionMs,
    sha: (text) => hash('sha256', text),
    proofRanges: (id, before) => proofRanges(database.db, id, before),
    report: (what, error) => void marketErrors.push(what, error),
    logLine: (_level, what) => void marketErrors.push(what),
  })
  const secrets = await openSecrets({ dataDir, db: database.db, fence }, settings)
  const venue = await openTestVenue(database, {
    clock,
    market,
    fence,
    secrets,
    dataDir,
    ...(clientDir !== undefined && { clientDir }),
  })
  return {
    url: (await venue.listen()).url,
    /** What the market and the rest of the venue reported. */
    get reportedErrors(): readonly unknown[] {
      return [...marketErrors, ...venue.reportedErrors]
    },
    close: venue.close,
  }
}
export type WholeVenue = Awaited<ReturnType<typeof openWholeVenue>>

/** A new temporary folder, and a function that removes it. */
export async function scratchFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'venue-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
