import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../server/platform/db/open.ts'
import { blackBoxClient } from '../../support/blackBoxClient.ts'
import { enableWithdrawals } from '../../support/enableWithdrawals.ts'
import { seededRandom } from '../../support/random.ts'
import { openScratchPostgres, type ScratchPostgres } from '../../support/scratchPostgres.ts'
import {
  checkMember,
  checkStoredRows,
  noViolations,
  type LedgerPosition,
  type Violations,
} from './moneyCheck.ts'
import { openTrader, tradedProduct, type Trader } from './trader.ts'
import { startVenue, type VenueProcess } from '../../support/venueProcess.ts'

export type KillPlan = {
  /** The bundled venue's `main.js`. */
  main: string
  database: 'postgres' | 'embedded'
  points: number
  seed: number
  log?: (line: string) => void
}

export type KillReport = {
  /** Kills under load, and kills while the venue was starting. */
  underLoad: number
  starting: number
  acknowledged: number
  /** Requests without an answer because of the kill, and how many of them took effect nevertheless. */
  unanswered: number
  effective: number
  /** Starts that failed by themselves, as happens on a busy machine; they are repeated and reported. */
  failedStarts: number
  violations: Violations
}

const members = 3
const lanes = 3
/** A kill comes after at most this many answers, at a random point before the next ones. */
const answersMax = 40
const betweenMaxMs = 20
/** The kill comes after this time even if nothing is answered. */
const loadMaxMs = 10_000
/** The share of kills before the venue serves. */
const startingShare = 0.2
/** The embedded database allows one process at a time, so its rows are checked only after this many kills. */
const rowsEvery = 25
const startsMax = 3
const deskKey = 'a-desk-key-for-the-kills-alone'

const config = {
  name: 'Uptick',
  serviceUrl: null,
  imageBaseHost: '',
  passwordSelfService: false,
  depositMethods: [],
  holidays: [],
  fund: { depositsPerDay: 1000 },
  practice: { balance: '900000.00' },
}

/** Kills a venue repeatedly at random instants, restarts it on the same data, and audits everything it acknowledged. */
export async function killAtRandom(plan: KillPlan): Promise<KillReport> {
  const random = seededRandom(plan.seed)
  const folder = await mkdtemp(join(tmpdir(), 'uptick-kills-'))
  const scratch = plan.database === 'postgres' ? await openScratchPostgres('kills') : null
  const dataDir = join(folder, 'data')
  const env = {
    DATA_DIR: dataDir,
    PRODUCTS_FILE: join(folder, 'products.json'),
    CONFIG_FILE: join(folder, 'config.json'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DESK_KEY: deskKey,
    ...(scratch && { DATABASE_URL: scratch.url }),
  }
  await writeFile(env.PRODUCTS_FILE, JSON.stringify([tradedProduct]))
  await writeFile(env.CONFIG_FILE, JSON.stringify(config))
  let running: VenueProcess | null = null
  const start = (): VenueProcess => (running = startVenue([plan.main], env))
  try {
    return await runKills(plan, random, start, (violations) => checkRows(scratch, dataDir, violations))
  } finally {
    await (running as VenueProcess | null)?.end('SIGKILL')
    await scratch?.drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

type Random = ReturnType<typeof seededRandom>

async function runKills(
  { points, database, log }: KillPlan,
  random: Random,
  start: () => VenueProcess,
  checkDatabase: (violations: Violations) => Promise<void>,
): Promise<KillReport> {
  const report: KillReport = {
    underLoad: 0,
    starting: 0,
    acknowledged: 0,
    unanswered: 0,
    effective: 0,
    failedStarts: 0,
    violations: noViolations(),
  }
  let venue = start()
  const traders = await openTraders(await venue.ready)
  const positions = traders.map((): LedgerPosition => ({ version: 0, available: 0, fund: 0 }))
  const waitUntilReady = async (): Promise<string> => {
    for (let tries = 1; ; tries++) {
      try {
        return await venue.ready
      } catch (error) {
        report.failedStarts += 1
        log?.(String(error))
        if (tries === startsMax) throw error
        venue = start()
      }
    }
  }
  let startMs = 1000
  const check = async (): Promise<void> => {
    const checked = await Promise.all(
      traders.map((trader, i) => checkOne(trader, positions[i], report.violations)),
    )
    for (const { acknowledged, unanswered, effective } of checked) {
      report.acknowledged += acknowledged
      report.unanswered += unanswered
      report.effective += effective
    }
  }
  for (let point = 1; point <= points; point++) {
    const duringStart = random.next() < startingShare && point > 1
    if (duringStart) {
      await pause(random.next() * startMs)
      await venue.end('SIGKILL')
      report.starting += 1
    } else {
      const startedAt = Date.now()
      const url = await waitUntilReady()
      startMs = startMs * 0.8 + (Date.now() - startedAt) * 0.2
      for (const trader of traders) trader.moveTo(url)
      await check()
      await killUnderLoad(venue, traders, random)
      report.underLoad += 1
    }
    if (database === 'postgres' || point % rowsEvery === 0 || point === points)
      await checkDatabase(report.violations)
    if (point % rowsEvery === 0) log?.(`${database}: ${point} kills, ${JSON.stringify(report)}`)
    venue = start()
  }
  const url = await waitUntilReady()
  for (const trader of traders) trader.moveTo(url)
  await check()
  await venue.end('SIGKILL')
  await checkDatabase(report.violations)
  return report
}

async function killUnderLoad(venue: VenueProcess, traders: readonly Trader[], random: Random): Promise<void> {
  let left = Math.floor(random.next() * answersMax)
  const between = random.next() * betweenMaxMs
  let onEnough = (): void => undefined
  const enough = new Promise<void>((resolve) => (onEnough = resolve))
  const onAnswer = (): void => {
    left -= 1
    if (left <= 0) onEnough()
  }
  const trading = Promise.all(traders.map((trader) => trader.trade(random, lanes, onAnswer)))
  await (left === 0 ? null : Promise.race([enough, pause(loadMaxMs)]))
  await pause(between)
  await venue.end('SIGKILL')
  await trading
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function openTraders(url: string): Promise<Trader[]> {
  const headers = { authorization: `Bearer ${deskKey}` }
  const traders: Trader[] = []
  for (let i = 0; i < members; i++) {
    const trader = await openTrader(url, `killed_${i}`, `1380000000${i}`)
    await enableWithdrawals(trader.client(), url, (method, path) =>
      blackBoxClient(url).call(method, path, { headers }),
    )
    traders.push(trader)
  }
  return traders
}

async function checkOne(trader: Trader, position: LedgerPosition | undefined, violations: Violations) {
  if (!position) throw new Error('a member without a ledger position')
  const acknowledged = trader.sent.filter(({ answer }) => answer !== null && answer.status < 300).length
  const unanswered = trader.sent.filter(({ answer }) => answer === null)
  await checkMember(trader, position, violations)
  return {
    acknowledged,
    unanswered: unanswered.length,
    effective: unanswered.filter(({ answer }) => answer?.replayed).length,
  }
}

async function checkRows(
  scratch: ScratchPostgres | null,
  dataDir: string,
  violations: Violations,
): Promise<void> {
  if (scratch) return checkStoredRows(scratch.database.pool, violations)
  const database = await openDatabase({ dataDir })
  try {
    await checkStoredRows(database.pool, violations)
  } finally {
    await database.close()
  }
}
