import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { clockOffset, systemClock } from '../../server/clock.ts'
import { acquireLease } from '../../server/db/lease.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { serializeError, deserializeError } from '../../server/engine/errors.ts'
import { openThreadEngine } from '../../server/engine/threadEngine.ts'
import { SettingsError } from '../../server/config.ts'
import { loadProducts } from '../../server/feed/loadProducts.ts'
import { parseProducts, ProductsError } from '../../server/feed/products.ts'
import { testProduct } from '../support/testMarket.ts'
import { withPostgres } from '../support/postgres.ts'

const postgres = await withPostgres('engine')
const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

const { source: _source, ...product } = testProduct
const synthetic = { seed: 1, ticksPerSecond: 20, start: 100, volatility: 0.5 }
const rows = parseProducts([{ ...product, feed: { synthetic } }])
const feeds = { feed: 'synthetic', recordingsDir: tmpdir(), closedPauseMs: 60_000 } as const

/** An engine in its thread, on the embedded database or on PostgreSQL. */
async function openEngine(databaseUrl: string | null) {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-engine-'))
  undo.push(() => rm(dataDir, { recursive: true, force: true }))
  const database = await openDatabase({ dataDir, ...(databaseUrl !== null && { databaseUrl }) })
  undo.push(() => database.close())
  await database.migrate()
  const faults: unknown[] = []
  const lost: unknown[] = []
  const lease = await acquireLease(database, databaseUrl, (error) => lost.push(error))
  undo.push(() => lease.release())
  const { term } = await lease.begin('127.0.0.1:0')
  const clockOffsetMs = clockOffset()
  const engine = await openThreadEngine({
    db: database.db,
    clock: systemClock(clockOffsetMs),
    sha: (text) => hash('sha256', text),
    products: await loadProducts(rows, feeds),
    settings: {
      database: database.address(),
      products: rows,
      feeds,
      clockOffsetMs,
      zone: 'UTC',
      tickRetentionMs: 3_600_000,
      term,
    },
    report: (...fault) => faults.push(fault),
    warn: (what) => faults.push(what),
    onLost: (error) => lost.push(error),
  })
  let stopped = false
  const stop = async (): Promise<void> => {
    if (stopped) return
    stopped = true
    await engine.stop()
  }
  undo.push(stop)
  return { engine, database, dataDir, term, faults, lost, stop }
}

const nextFlush = (engine: Engine): Promise<number> =>
  new Promise((resolve) => {
    const leave = engine.market.onFlush(({ at }) => {
      leave()
      resolve(at)
    })
  })

/** Holds this thread's event loop up until `changed` has given another answer three times. */
function blockUntilChanged(changed: () => string): void {
  for (let seen = changed(), changes = 0; changes < 3;) {
    const now = changed()
    if (now !== seen) changes += 1
    seen = now
  }
}

describe('the engine in its thread', () => {
  it('writes the log while this thread stands still, embedded', { timeout: 120_000 }, async () => {
    const { engine, dataDir, faults } = await openEngine(null)
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
    expect(faults).toEqual([])
  })

  postgres.describe('on PostgreSQL', () => {
    it('writes the log while this thread stands still', { timeout: 120_000 }, async () => {
      const { engine, faults } = await openEngine(postgres.url())
      await engine.start()
      await nextFlush(engine)
      const ask = `import pg from 'pg'; const c = new pg.Client(process.argv[1]); await c.connect();
        console.log((await c.query('SELECT max(id) AS id FROM tick_batch')).rows[0].id); await c.end()`
      blockUntilChanged(() =>
        spawnSync(process.execPath, ['--input-type=module', '-e', ask, postgres.url()]).stdout.toString(),
      )
      await nextFlush(engine)
      expect(faults).toEqual([])
    })

    it('calls the venue off once its term is over', { timeout: 120_000 }, async () => {
      const { engine, database, lost } = await openEngine(postgres.url())
      await engine.start()
      await nextFlush(engine)
      await database.pool.query('UPDATE lease SET term = term + 1')
      await expect.poll(() => lost.length, { timeout: 60_000 }).toBeGreaterThan(0)
      expect(String(lost[0])).toContain('another process leads this database')
    })
  })

  it('goes on where it ended after a stop', { timeout: 120_000 }, async () => {
    const { engine, database, stop, lost } = await openEngine(null)
    await engine.start()
    await nextFlush(engine)
    await stop()
    const { rows: kept } = await database.pool.query('SELECT max(at)::int8 AS at FROM tick_batch')
    expect(kept[0].at).toBe(engine.market.watermark('TEST'))
    expect(lost).toEqual([])
  })
})

describe('an error between two threads', () => {
  it.each([
    new SettingsError('PRODUCTS_FILE lacks products'),
    new ProductsError(['one', 'two']),
    Object.assign(new Error('no'), { code: '23505', constraint: 'orders_no_unique' }),
    new Error('outer', { cause: new TypeError('inner') }),
  ])('keeps its class, fields and cause: %s', (error) => {
    const again = deserializeError(structuredClone(serializeError(error)))
    expect(again).toBeInstanceOf(error.constructor)
    const { name, message, stack } = error
    expect(again).toMatchObject({ name, message, stack, ...Object.fromEntries(Object.entries(error)) })
    if (error.cause) expect(again.cause).toMatchObject({ name: 'TypeError', message: 'inner' })
  })

  it('is an error too if something else was thrown', () => {
    expect(deserializeError(serializeError('broken')).message).toBe('broken')
  })
})
