import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { verifyLog } from '../../../server/market/log/verifyLog.ts'
import { productRow } from '../../support/productRow.ts'
import { openScratchPostgres, type ScratchPostgres } from '../../support/scratchPostgres.ts'
import { seededRandom } from '../../support/random.ts'
import { startVenue, type VenueProcess } from '../../support/venueProcess.ts'

export type WriterPlan = {
  /** The bundled venue's `main.js`. */
  main: string
  kills: number
  freezes: number
  seed: number
  log?: (line: string) => void
}

export type WriterReport = {
  /** Starts that succeeded. */
  starts: number
  /** Time from a kill, and from a freeze, until the next venue serves, in ms. */
  killMs: number[]
  freezeMs: number[]
  /** How long each rejected start beside a running venue took, in ms. */
  rejectedStartMs: number[]
  flushes: number
  violations: string[]
}

const product = productRow('TEST', { maxTickGapMs: 2000, entryTimeoutMs: 1000 })
const runMaxMs = 1500
const freezeMs = 10_000
const lockHeldPattern =
  /^uptick: another venue runs on this database: process \d+ on \S+ at 127\.0\.0\.1:\d+, since \S+Z: .+\n$/
const fencedPattern = /^uptick: [^\n]+\n$/

/**
 * Kills and freezes the leader of one PostgreSQL database repeatedly, and each time starts another venue with its own
 * folder in its place. There must be one writer at any time, the log must stay intact, and every start must succeed.
 */
export async function driveOneWriter(plan: WriterPlan): Promise<WriterReport> {
  const folder = await mkdtemp(join(tmpdir(), 'uptick-writers-'))
  const scratch = await openScratchPostgres('writers')
  const productsFile = join(folder, 'products.json')
  await writeFile(productsFile, JSON.stringify([product]))
  const started: VenueProcess[] = []
  const start = (): VenueProcess => {
    const venue = startVenue([plan.main], {
      DATA_DIR: join(folder, `data-${started.length}`),
      DATABASE_URL: scratch.url,
      PRODUCTS_FILE: productsFile,
      VENUE_KEY: 'ab'.repeat(32),
      LOG_LEVEL: 'error',
    })
    started.push(venue)
    return venue
  }
  try {
    return await runRounds(plan, scratch, start)
  } finally {
    for (const venue of started) venue.signal('SIGCONT')
    await Promise.all(started.map((venue) => venue.end('SIGKILL')))
    await scratch.drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function runRounds(
  { kills, freezes, seed, log }: WriterPlan,
  scratch: ScratchPostgres,
  start: () => VenueProcess,
): Promise<WriterReport> {
  const random = seededRandom(seed)
  const report: WriterReport = {
    starts: 0,
    killMs: [],
    freezeMs: [],
    rejectedStartMs: [],
    flushes: 0,
    violations: [],
  }
  const serve = async (venue: VenueProcess): Promise<VenueProcess | null> => {
    try {
      await venue.ready
      report.starts += 1
      return venue
    } catch (error) {
      report.violations.push(String(error))
      return null
    }
  }
  const startSecond = async (): Promise<void> => {
    const startedAt = performance.now()
    const second = start()
    const code = await second.exited
    report.rejectedStartMs.push(performance.now() - startedAt)
    if (code !== 2 || !lockHeldPattern.test(second.output())) {
      report.violations.push(`a second start ended with ${code}: ${second.output()}`)
    }
  }
  let venue = await startTogether(start, report)
  const rounds = shuffled(kills, freezes, () => random.next())
  for (const [i, way] of rounds.entries()) {
    if (venue === null) break
    if (i % 5 === 0) await startSecond()
    await wait(random.next() * runMaxMs)
    const startedAt = performance.now()
    if (way === 'kill') {
      await venue.end('SIGKILL')
      venue = await serve(start())
      report.killMs.push(performance.now() - startedAt)
    } else {
      const frozen: VenueProcess = venue
      frozen.signal('SIGSTOP')
      venue = await serve(start())
      report.freezeMs.push(performance.now() - startedAt)
      await wait(Math.max(0, freezeMs - (performance.now() - startedAt)))
      frozen.signal('SIGCONT')
      const code = await frozen.exited
      // Nothing but its last line: what its own sessions report when they are gone is of no use to anybody.
      const said = frozen.output().split('\n').slice(2).join('\n')
      if (code !== 1 || !fencedPattern.test(said)) {
        report.violations.push(`a resumed writer ended with ${code}: ${frozen.output()}`)
      }
    }
    log?.(`${i + 1} of ${rounds.length}: ${way}, ${Math.round(performance.now() - startedAt)} ms`)
  }
  await venue?.end('SIGTERM')
  await checkLog(scratch, report)
  return report
}

/** Two starts at once on a database without a leader: one serves, the other is rejected. */
async function startTogether(start: () => VenueProcess, report: WriterReport): Promise<VenueProcess | null> {
  const pair = [start(), start()]
  const ends = await Promise.allSettled(pair.map((venue) => venue.ready))
  const served = pair.filter((_, i) => ends[i]?.status === 'fulfilled')
  const codes = await Promise.all(pair.filter((venue) => !served.includes(venue)).map(({ exited }) => exited))
  if (served.length !== 1 || codes[0] !== 2) {
    report.violations.push(
      `of two starts at once ${served.length} serve: ${pair.map((one) => one.output()).join()}`,
    )
  }
  report.starts += served.length
  return served[0] ?? null
}

type Way = 'kill' | 'freeze'

function shuffled(kills: number, freezes: number, next: () => number): Way[] {
  const ways = Array.from({ length: kills + freezes }, (_, i): Way => (i < kills ? 'kill' : 'freeze'))
  for (let i = ways.length - 1; i > 0; i--) {
    const other = Math.floor(next() * (i + 1))
    ;[ways[i], ways[other]] = [ways[other] ?? 'kill', ways[i] ?? 'kill']
  }
  return ways
}

/** Expects that terms never go back, flush ids have no gaps or duplicates, and the chain is unbroken. */
async function checkLog({ database }: ScratchPostgres, report: WriterReport): Promise<void> {
  const { rows } = await database.pool.query<{ id: number; term: number; at: number }>(
    'SELECT id, term, at FROM tick_batch ORDER BY id',
  )
  report.flushes = rows.length
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1]
    if (!before) continue
    const follows = row.id === before.id + 1 && row.term >= before.term && row.at >= before.at
    if (!follows) report.violations.push(`flush ${JSON.stringify(row)} after ${JSON.stringify(before)}`)
  }
  const { violations } = await verifyLog(database.db, (text) => hash('sha256', text))
  report.violations.push(...violations.map(String))
}
