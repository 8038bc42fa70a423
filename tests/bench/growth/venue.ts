// A venue on the recordings that nobody uses, with the embedded database in a folder, on a clock that runs from second to
// second without waiting. Prints a line of JSON at the start and after each hour, or twelfth of less than a day: `venue.ts HOURS STEP_S`. Needs --expose-gc.
import { mkdir, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hourMs, secondMs } from '../../../contract/time.ts'
import { openDatabase } from '../../../server/platform/db/open.ts'
import { projectRoot } from '../../../server/platform/paths.ts'
import { manualClock } from '../../support/manualClock.ts'
import { openWholeVenue, scratchFolder } from '../../support/wholeVenue.ts'

/** Bytes. `ticks` and `publicLog`: of their tables with indexes. */
export type Sample = {
  hour: number
  resident: number
  heap: number
  disk: number
  database: number
  ticks: number
  publicLog: number
}

const [hours = 24, stepS = 1] = process.argv.slice(2).map(Number)
const folder = await scratchFolder()
const dataDir = join(folder.path, 'venue')
await mkdir(dataDir)
const database = await openDatabase({ dataDir })
await database.migrate()
const clock = manualClock(Math.floor(Date.now() / hourMs) * hourMs)
const venue = await openWholeVenue({
  database,
  clock,
  table: JSON.parse(await readFile(join(projectRoot, 'server/products.json'), 'utf8')) as unknown,
  recordingsDir: join(projectRoot, 'streams/recordings'),
  dataDir,
})

async function folderBytes(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => stat(join(entry.parentPath, entry.name)).then(({ size }) => size))
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

async function tableBytes(pattern: string): Promise<number> {
  const { rows } = await database.pool.query<{ bytes: string }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class WHERE relkind = 'r' AND relname ~ $1`,
    [pattern],
  )
  return Number(rows[0]?.bytes)
}

async function sample(hour: number): Promise<Sample> {
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return {
    hour,
    resident: rss,
    heap: heapUsed + external,
    disk: await folderBytes(dataDir),
    database: await tableBytes('.'),
    ticks: await tableBytes('^tick_(batch|chunk)$'),
    publicLog: await tableBytes('^log_(leaf|node|checkpoint)$'),
  }
}
const print = async (hour: number): Promise<void> =>
  void process.stdout.write(`${JSON.stringify(await sample(hour))}\n`)

await print(0)
const startedAt = clock.now()
const stepHours = hours < 24 ? hours / 12 : 1
for (let step = 1; step * stepHours <= hours; step++) {
  while (clock.now() < startedAt + step * stepHours * hourMs) await clock.jumpBy(stepS * secondMs)
  await print(step * stepHours)
}
for (const error of venue.reportedErrors) console.error(error)
await venue.close()
await database.close()
await folder.remove()
process.exit(0)
