import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { clockOffset, systemClock } from '../../../server/platform/clock.ts'
import { acquireLease } from '../../../server/platform/db/lease.ts'
import { openDatabase } from '../../../server/platform/db/open.ts'
import type { Engine } from '../../../server/start/engine/engine.ts'
import { serializeError, deserializeError } from '../../../server/start/engine/errors.ts'
import { openThreadEngine } from '../../../server/start/engine/threadEngine.ts'
import { readSettings } from '../../../server/start/config.ts'
import { SettingsError } from '../../../server/platform/settingsError.ts'
import { loadProducts } from '../../../server/market/feed/loadProducts.ts'
import { parseProducts, ProductsError } from '../../../server/market/feed/products.ts'
import { publishedSettingsOf } from '../../../server/start/publishedSettings.ts'
import { systemRandom } from '../../../server/platform/random.ts'
import { testProduct } from '../../support/fakeMarket.ts'
import { withPostgres } from '../../support/postgres.ts'

const postgres = await withPostgres('engine')
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp()
})

const { source: _source, settlement: _settlement, ...product } = testProduct
const synthetic = { seed: 1, ticksPerSecond: 20, start: 100, volatility: 0.5 }
const rows = parseProducts([{ ...product, feed: { synthetic } }])
const feeds = { feed: 'synthetic', recordingsDir: tmpdir(), closedPauseMs: 60_000 } as const

/** An engine in its own thread, on the embedded database or on PostgreSQL. */
async function openEngine(databaseUrl: string | null) {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-engine-'))
  cleanups.push(() => rm(dataDir, { recursive: true, force: true }))
  const database = await openDatabase({ dataDir, databaseUrl })
  cleanups.push(() => database.close())
  await database.migrate()
  const reports: unknown[] = []
  const lost: unknown[] = []
  const lease = await acquireLease(database, (error) => lost.push(error))
  cleanups.push(() => lease.release())
  const { term } = await lease.begin('127.0.0.1:0')
  const clockOffsetMs = clockOffset()
  const engine = await openThreadEngine(
    {
      db: database.db,
      clock: systemClock(clockOffsetMs),
      sha: (text) => hash('sha256', text),
      random: systemRandom,
      products: await loadProducts(rows, feeds),
      settings: {
        database: database.address(),
        products: rows,
        feeds,
        replays: new Map(),
        zone: 'UTC',
        tickRetentionMs: 3_600_000,
        published: publishedSettingsOf(readSettings({})),
        bus: null,
      },
      report: (...args) => reports.push(args),
      logLine: (_level, what) => reports.push(what),
      onLost: (error) => lost.push(error),
    },
    { term, clockOffsetMs },
  )
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    await engine.stop()
  }
  cleanups.push(stop)
  return { engine, database, dataDir, term, reports, lost, stop }
}

const nextFlush = (engine: Engine): Promise<number> =>
  new Promise((resolve) => {
    const unsubscribe = engine.market.onFlush(({ at }) => {
      unsubscribe()
      resolve(at)
    })
  })

/** Blocks this thread's event loop until the result of `read` has changed three times. */
function blockUntilChanged(read: () => string): void {
  for (let previous = read(), changes = 0; changes < 3;) {
    const current = read()
    if (current !== previous) changes += 1
    previous = current
  }
}

describe('thread engine', () => {
  it('writes the log while the main thread is blocked, and all of it when it stops, on the embedded database', async () => {
    const { engine, database, dataDir, reports, stop, lost } = await openEngine(null)
    await engine.start()
    await nextFlush(engine)
    const wal = join(dataDir, 'db/pg_wal')
    blockUntilChanged(() =>
      readdirSync(wal)
        .map((name) => statSync(join(wal, name)).mtimeMs)
        .join(),
    )
    const before = engine.market.watermark('TEST')
    await nextFlush(engine)
    expect(engine.market.watermark('TEST')).toBeGreaterThan(before)
    await stop()
    const { rows: stored } = await database.pool.query('SELECT max(at)::int8 AS at FROM tick_batch')
    expect(stored[0].at).toBe(engine.market.watermark('TEST'))
    expect([reports, lost]).toEqual([[], []])
  })

  postgres.describe('on PostgreSQL', () => {
    it('writes the log while the main thread is blocked', async () => {
      const { engine, reports } = await openEngine(postgres.url())
      await engine.start()
      await nextFlush(engine)
      const script = `import pg from 'pg'; const c = new pg.Client(process.argv[1]); await c.connect();
        console.log((await c.query('SELECT max(id) AS id FROM tick_batch')).rows[0].id); await c.end()`
      blockUntilChanged(() =>
        spawnSync(process.execPath, ['--input-type=module', '-e', script, postgres.url()]).stdout.toString(),
      )
      await nextFlush(engine)
      expect(reports).toEqual([])
    })

    it('reports that the lease is lost once its term is over', async () => {
      const { engine, database, lost } = await openEngine(postgres.url())
      await engine.start()
      await nextFlush(engine)
      await database.pool.query('UPDATE lease SET term = term + 1')
      await expect.poll(() => lost.length).toBeGreaterThan(0)
      expect(String(lost[0])).toContain('another process leads this database')
    })
  })
})

describe('errors sent between threads', () => {
  it.each([
    new SettingsError('PRODUCTS_FILE lacks products'),
    new ProductsError(['one', 'two']),
    Object.assign(new Error('no'), { code: '23505', constraint: 'orders_no_unique' }),
    new Error('outer', { cause: new TypeError('inner') }),
  ])('keep their class, fields and cause: %s', (error) => {
    const received = deserializeError(structuredClone(serializeError(error)))
    expect(received).toBeInstanceOf(error.constructor)
    const { name, message, stack } = error
    expect(received).toMatchObject({ name, message, stack, ...Object.fromEntries(Object.entries(error)) })
    if (error.cause) expect(received.cause).toMatchObject({ name: 'TypeError', message: 'inner' })
  })

  it('wrap a thrown value that is not an error', () => {
    expect(deserializeError(serializeError('broken')).message).toBe('broken')
  })
})
