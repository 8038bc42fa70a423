import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { genesis } from '../../contract/chain.ts'
import { parseRecording, type Recording } from '../../contract/recording.ts'
import type { Db } from '../../server/platform/db/database.ts'
import { feedProduct, tickChunk } from '../../server/market/schema.ts'
import { packChunk } from '../../server/market/log/chunk.ts'
import { hashAfter, type Scale } from '../../server/market/log/rehash.ts'
import { verifyChunks } from '../../server/market/log/verifyLog.ts'
import { openBenchDatabase, type Engine } from './databases.ts'
import type { Row } from './row.ts'

const root = join(import.meta.dirname, '../..')
/** As the compactor makes them. */
const chunkTicks = 4096
const chunkMs = 600_000

const sha = (text: string): string => hash('sha256', text)

/** The table of a practice venue: each of its recordings is played once a day. */
type TableRow = { id: string; priceDecimals: number; feed: { recording: string } }
const table = (): TableRow[] =>
  JSON.parse(readFileSync(join(root, 'server/products.json'), 'utf8')) as TableRow[]

/** What the nightly check of the tick log costs for each day in it; it takes at most a fifth of a core. */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of ['PostgreSQL', 'PGlite'] as const) rows.push(...(await costOfDay(engine)))
  return rows
}

async function costOfDay(engine: Engine): Promise<Row[]> {
  const { database, close } = await openBenchDatabase(engine)
  for (const [ix, product] of table().entries()) await storeDay(database.db, ix + 1, product)
  const before = process.cpuUsage()
  const { ticks, chunks, violations } = await verifyChunks(database.db, sha, {})
  const { user, system } = process.cpuUsage(before)
  await close()
  if (violations.length > 0) throw new Error(violations[0]?.message)
  const seconds = (user + system) / 1_000_000
  const row = (what: string, value: number, unit: string): Row => ({
    id: 'audit',
    what: `${engine}: ${what}`,
    value,
    unit,
  })
  return [
    row(`a day of the practice venue verified, ${ticks} ticks in ${chunks} chunks`, seconds, 's of a core'),
    row('a tick verified', (seconds * 1_000_000) / ticks, 'µs'),
  ]
}

async function storeDay(db: Db, ix: number, { id, priceDecimals, feed }: TableRow): Promise<void> {
  const file = readFileSync(join(root, 'streams/recordings', feed.recording))
  const recording = parseRecording(gunzipSync(file).toString(), priceDecimals)
  const scale = { id, priceDecimals, sizeDecimals: recording.sizeDecimals }
  await db.insert(feedProduct).values({ ix, ...scale, firstAt: recording.at[0] ?? 0 })
  let before = genesis(id, sha).hash
  for (let from = 0; from < recording.at.length;) {
    const { end, chunk } = await chunkFrom(recording, from, before, scale)
    await db.insert(tickChunk).values({ ix, ...chunk })
    from = end
    before = chunk.hashAfter.toString('hex')
  }
}

async function chunkFrom({ at, price, size }: Recording, from: number, before: string, scale: Scale) {
  const at0 = at[from] ?? 0
  let end = from
  while (end < at.length && end < from + chunkTicks && (at[end] ?? 0) < at0 + chunkMs) end += 1
  const part = (column: Recording['price']): Float64Array => Float64Array.from(column.subarray(from, end))
  const ticks = {
    seq0: from + 1,
    at: part(at),
    price: part(price),
    size: part(size),
    provenance: undefined,
  }
  const chunk = {
    seq0: from + 1,
    seq1: end,
    at0,
    at1: at[end - 1] ?? 0,
    hashBefore: Buffer.from(before, 'hex'),
    hashAfter: Buffer.from(hashAfter(before, scale, ticks, sha), 'hex'),
    data: await packChunk(ticks),
  }
  return { end, chunk }
}
