import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { io } from 'socket.io-client'
import { decodeTicks } from '../../contract/tickFrame.ts'
import { productRow, walk } from '../support/productRow.ts'
import { openScratchPostgres } from '../support/scratchPostgres.ts'
import { startVenue } from '../support/venueProcess.ts'
import type { Engine } from './databases.ts'
import type { Row } from './row.ts'

const main = resolve(import.meta.dirname, '../../dist/server/main.js')
const callers = new URL('./flush/callers.mjs', import.meta.url)
const calls = 2000
const rounds = 4
/** Enough that every flush has ticks, and that a page of 5,000 computed ticks is real work. */
const ticksPerSecond = 50
const sampleMs = 10
const limitMs = 500

const table = [productRow('BENCH', { feed: walk({ ticksPerSecond }) })]

/**
 * Late flushes: the age of a subscriber's newest flush while one address sends 2,000 requests for 5,000 ticks each at once, with
 * the venue's own rate limits. Sampled by time, so that a long silence counts for as long as it lasts.
 */
export async function run(): Promise<Row[]> {
  if (!existsSync(main)) throw new Error('build first: npm run build')
  const rows: Row[] = []
  for (const engine of ['PostgreSQL', 'PGlite'] as const) {
    const { calm, under } = await flushLag(engine)
    rows.push(
      { id: 'late', what: `${engine}: flush lag p99 without requests`, value: p99(calm), unit: 'ms' },
      {
        id: 'late',
        what: `${engine}: flush lag p99 under 2,000 requests at once from one address`,
        value: p99(under),
        unit: 'ms',
        limit: `≤ ${limitMs}`,
        ok: p99(under) <= limitMs,
      },
    )
  }
  return rows
}

async function flushLag(engine: Engine): Promise<{ calm: number[]; under: number[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'uptick-flush-'))
  const productsFile = join(dataDir, 'products.json')
  writeFileSync(productsFile, JSON.stringify(table))
  const scratch = engine === 'PostgreSQL' ? await openScratchPostgres('flush') : null
  const venue = startVenue([main], {
    DATA_DIR: join(dataDir, 'data'),
    PRODUCTS_FILE: productsFile,
    LOG_LEVEL: 'error',
    ...(scratch && { DATABASE_URL: scratch.url }),
  })
  try {
    const url = await venue.ready
    const watcher = await watch(url)
    // A computed page is the most expensive one; this also computes the minutes before the first start.
    const path = '/api/products/BENCH/ticks?afterSeq=-4999&limit=5000'
    const worker = new Worker(callers, { workerData: { port: new URL(url).port, path, calls } })
    await pause(3000)
    watcher.samples.length = 0
    await pause(5000)
    const calm = watcher.samples.splice(0)
    const under: number[] = []
    for (let round = 0; round < rounds; round++) {
      worker.postMessage('fire')
      await once(worker, 'message')
      watcher.samples.length = 0
      await once(worker, 'message')
      under.push(...watcher.samples.splice(0))
    }
    watcher.stop()
    await worker.terminate()
    return { calm, under }
  } finally {
    await venue.end('SIGTERM')
    await scratch?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Subscribes a socket to the product and samples the age of its newest flush every {@link sampleMs}. */
async function watch(url: string): Promise<{ samples: number[]; stop: () => void }> {
  const socket = io(url, { transports: ['websocket'], reconnection: false })
  let newest = Date.now()
  socket.on('ticks', (data: unknown) => {
    newest = Math.max(newest, decodeTicks(data)?.at ?? 0)
  })
  await new Promise<void>((connected) => socket.once('connect', connected))
  await socket.emitWithAck('subscribe', { products: ['BENCH'] })
  const samples: number[] = []
  const timer = setInterval(() => samples.push(Date.now() - newest), sampleMs)
  return {
    samples,
    stop: () => {
      clearInterval(timer)
      socket.disconnect()
    },
  }
}

function p99(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.floor(0.99 * sorted.length)] ?? Number.NaN
}
