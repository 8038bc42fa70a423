// A whole venue with the built client in its own process: prints its URL, then moves its clock forward by the number of
// milliseconds on each line of stdin.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openMemoryDatabase } from '../../server/platform/db/open.ts'
import { projectRoot } from '../../server/platform/paths.ts'
import { leapingClock } from './leapingClock.ts'
import { openWholeVenue, scratchFolder } from './wholeVenue.ts'

const clock = leapingClock()
const folder = await scratchFolder()
const durations = [60, 7200].map((seconds) => ({ seconds, rateBp: 8500, min: '1.00', max: '5000.00' }))
const table = [
  {
    id: 'BTCUSDT',
    code: 'BTC/USDT',
    category: 'crypto',
    names: { en: 'Bitcoin' },
    priceDecimals: 2,
    durations,
    maxTickGapMs: 15_000,
    entryTimeoutMs: 5000,
    recommended: true,
    feed: { synthetic: { seed: 1, ticksPerSecond: 10, start: 60_000, volatility: 0.05 } },
  },
]
const parts = {
  table,
  recordingsDir: folder.path,
  dataDir: folder.path,
  clientDir: join(projectRoot, 'dist/client'),
}
const venue = await openWholeVenue({ database: await openMemoryDatabase(), clock, ...parts })
process.stdout.write(`${venue.url}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  clock.leap(Number(line))
  process.stdout.write('leapt\n')
}
await venue.close()
await folder.remove()
process.exit(0)
