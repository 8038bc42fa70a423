import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildVenue } from '../../server/app.ts'
import { readSettings } from '../../server/config.ts'
import type { Database } from '../../server/db/database.ts'
import { loadProducts } from '../../server/feed/loadProducts.ts'
import { parseProducts } from '../../server/feed/products.ts'
import { createLocalEngine } from '../../server/engine/localEngine.ts'
import { createListener } from '../../server/http/listener.ts'
import { createPasswords } from '../../server/members/passwords.ts'
import { createMarket } from '../../server/market/market.ts'
import type { Clock } from '../../server/ports.ts'
import { systemRandom } from '../../server/random.ts'
import { openSecrets } from '../../server/secrets.ts'
import { proofRanges } from '../../server/trading/proofRanges.ts'
import { testFence } from './testFence.ts'

export type WholeVenueParts = {
  database: Database
  clock: Clock
  /** A product table in the format of PRODUCTS_FILE. */
  table: unknown
  recordingsDir: string
  dataDir: string
  /** The built client, if a browser is used. */
  clientDir?: string
}

/**
 * The whole venue on a free port, built as production builds it, with the given clock. Opened again on the same
 * database it is the same venue after a restart.
 */
export async function openWholeVenue(parts: WholeVenueParts) {
  const { database, clock, table, recordingsDir, dataDir } = parts
  const settings = readSettings({ RATE_LIMITS: 'off', DATA_DIR: dataDir, PORT: '0' })
  const { feed, closedPauseMs, tickRetentionMs } = settings
  if (feed === 'live') throw new Error('replay is the default')
  const reportedErrors: unknown[] = []
  const products = await loadProducts(parseProducts(table), { feed, recordingsDir, closedPauseMs })
  const listener = createListener(clock)
  const { port } = await listener.listen(0, '127.0.0.1')
  const secrets = await openSecrets({ dataDir, db: database.db, fence: testFence }, settings)
  const report = (what: string, error: unknown): void => void reportedErrors.push(what, error)
  const market = await createMarket({
    db: database.db,
    fence: testFence,
    clock,
    products,
    tickRetentionMs,
    sha: (text) => hash('sha256', text),
    proofRanges: (id, before) => proofRanges(database.db, id, before),
    report,
    warn: (what) => void reportedErrors.push(what),
  })
  const engine = createLocalEngine({ database, fence: testFence, clock, market, zone: settings.zone, report })
  const venue = await buildVenue({
    database,
    fence: testFence,
    clock,
    engine,
    settings,
    secrets,
    listener,
    logger: pino({ level: 'silent' }),
    random: systemRandom,
    passwords: await createPasswords(systemRandom),
    clientDir: parts.clientDir ?? dataDir,
  })
  return {
    url: `http://127.0.0.1:${port}`,
    reportedErrors,
    close: async (): Promise<void> => {
      await venue.close()
    },
  }
}
export type WholeVenue = Awaited<ReturnType<typeof openWholeVenue>>

/** A new temporary folder, and a function that removes it. */
export async function scratchFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'venue-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
