// A whole venue with the built client in its own process, on a clock that is accelerated by its first argument. It
// prints its URL, and exits when stdin ends.
import { once } from 'node:events'
import { join } from 'node:path'
import { openMemoryDatabase } from '../../../server/platform/db/open.ts'
import { projectRoot } from '../../../server/platform/paths.ts'
import type { Clock } from '../../../server/platform/ports.ts'
import { openWholeVenue, scratchFolder } from '../../support/wholeVenue.ts'

const speed = Number(process.argv[2])

function fastClock(): Clock {
  const start = Date.now()
  const now = (): number => Math.floor(start + (Date.now() - start) * speed)
  return {
    now,
    at: (instant, run) => {
      const timer = setTimeout(() => void run(), Math.max(0, (instant - now()) / speed))
      return () => clearTimeout(timer)
    },
  }
}

/** Every product of the page sweep, and enough others for a full list. */
const table = ['BTCUSDT', 'EURUSD', 'IF', 'ETHUSDT', 'XAUUSD', 'NZDUSD', 'SOLUSDT', 'GC'].map((id, i) => ({
  id,
  code: id,
  category: id === 'IF' ? 'futures' : 'crypto',
  names: { en: `Product ${id}` },
  priceDecimals: 2,
  durations: [60, 7200].map((seconds) => ({ seconds, rateBp: 8500, min: '1.00', max: '5000.00' })),
  maxTickGapMs: 15_000,
  entryTimeoutMs: 5000,
  recommended: i < 3,
  feed: { synthetic: { seed: i, ticksPerSecond: 10, start: 1000 * (i + 1), volatility: 0.3 } },
}))

const folder = await scratchFolder()
const venue = await openWholeVenue({
  database: await openMemoryDatabase(),
  clock: fastClock(),
  table,
  recordingsDir: folder.path,
  dataDir: folder.path,
  clientDir: join(projectRoot, 'dist/client'),
})
process.stdout.write(`${venue.url}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await venue.close()
await folder.remove()
process.exit(0)
