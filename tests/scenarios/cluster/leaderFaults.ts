import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import { verifyLog } from '../../../server/market/log/verifyLog.ts'
import { natsServer } from '../../support/nats.ts'
import { seededRandom } from '../../support/random.ts'
import { openScratchPostgres } from '../../support/scratchPostgres.ts'
import type { ScratchPostgres } from '../../support/scratchPostgres.ts'
import { startVenue } from '../../support/venueProcess.ts'
import type { VenueProcess } from '../../support/venueProcess.ts'
import { auditMember, auditRows, noViolations } from './audit.ts'
import type { LedgerPosition, Violations } from './audit.ts'
import { openTrader, tradedProduct } from './trader.ts'
import type { Trader } from './trader.ts'

export type LeaderKillPlan = {
  /** The bundled venue's `main.js`. */
  main: string
  kills: number
  seed: number
  /** The address of a database through a pooler, if the nodes use one. */
  through?: (databaseUrl: string) => string
  log?: (line: string) => void
}

export type LeaderKillReport = {
  kills: number
  acknowledged: number
  /** From each kill to the next committed flush, ms. */
  nextFlushMs: number[]
  /** The longest that a request at the edge took, ms. */
  slowestAnswerMs: number
  gaps: number
  violations: Violations
}

const members = 2
const lanes = 2
/** A kill comes after at most this many answers. */
const answersMax = 30
const pollMs = 5

type Nodes = {
  scratch: ScratchPostgres
  start: (role: 'auto' | 'edge') => VenueProcess
  /** The nodes that may lead, by the address in the lease. */
  candidates: Map<string, VenueProcess>
}

/**
 * Members trade at an edge while its leaders are killed one after the other; a standby takes over each time, and another
 * one is started. Nothing that was acknowledged may be lost or doubled, and no gap may arise.
 */
export async function killLeaders(plan: LeaderKillPlan): Promise<LeaderKillReport> {
  const folder = await mkdtemp(join(tmpdir(), 'uptick-leaders-'))
  const scratch = await openScratchPostgres('leaders')
  const productsFile = join(folder, 'products.json')
  await writeFile(productsFile, JSON.stringify([tradedProduct]))
  const started: VenueProcess[] = []
  const start = (role: 'auto' | 'edge'): VenueProcess => {
    const node = startVenue([plan.main], {
      ROLE: role,
      DATA_DIR: join(folder, `data-${started.length}`),
      DATABASE_URL: plan.through?.(scratch.url) ?? scratch.url,
      DATABASE_DIRECT_URL: scratch.url,
      BUS_URL: natsServer(),
      PRODUCTS_FILE: productsFile,
      PRACTICE_BALANCE: '900000.00',
      RATE_LIMITS: 'off',
      UPLOAD_KEY: 'ab'.repeat(32),
      IDEMPOTENCY_KEY: 'cd'.repeat(32),
      DESK_KEY: 'a-desk-key-for-the-kills-alone',
      LOG_LEVEL: 'error',
    })
    started.push(node)
    return node
  }
  try {
    return await runKills(plan, { scratch, start, candidates: new Map() })
  } finally {
    await Promise.all(started.map((node) => node.end('SIGKILL')))
    await scratch.drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function runKills({ kills, seed, log }: LeaderKillPlan, nodes: Nodes): Promise<LeaderKillReport> {
  const { pool, db } = nodes.scratch.database
  const random = seededRandom(seed)
  const report: LeaderKillReport = {
    kills: 0,
    acknowledged: 0,
    nextFlushMs: [],
    slowestAnswerMs: 0,
    gaps: 0,
    violations: noViolations(),
  }
  await startCandidate(nodes)
  await startCandidate(nodes)
  const edge = nodes.start('edge')
  const url = await edge.ready
  const traders = await Promise.all(
    Array.from({ length: members }, (_, i) => openTrader(url, `leaders_${i}`, `1380000000${i}`)),
  )
  const positions = traders.map((): LedgerPosition => ({ version: 0, available: 0, fund: 0 }))
  while (report.kills < kills) {
    const trading = tradeAt(traders, random, report)
    await trading.waitForAnswers(Math.floor(random.next() * answersMax))
    report.nextFlushMs.push(await killLeader(nodes, pool))
    report.kills += 1
    await trading.waitForAnswers(answersMax)
    await trading.end()
    for (const [i, trader] of traders.entries()) {
      report.acknowledged += trader.sent.filter(({ answer }) => (answer?.status ?? 500) < 300).length
      const position = positions[i]
      if (position) await auditMember(trader, position, report.violations)
    }
    await startCandidate(nodes)
    log?.(`${report.kills} kills: ${JSON.stringify(report)}`)
  }
  await auditRows(pool, report.violations)
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM feed_gap')
  report.gaps = rows[0]?.count ?? -1
  const { violations } = await verifyLog(db, (text) => hash('sha256', text))
  report.violations.halfWritten.push(...violations.map(String))
  return report
}

async function startCandidate({ start, candidates }: Nodes): Promise<void> {
  const node = start('auto')
  const { host } = new URL(await node.ready)
  candidates.set(host, node)
}

/** Kills the node that leads. @returns how long the next committed flush took, ms */
async function killLeader({ candidates }: Nodes, pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ address: string }>('SELECT address FROM lease')
  const address = rows[0]?.address ?? ''
  const leader = candidates.get(address)
  if (!leader) throw new Error(`no node has the leader's address ${address}`)
  candidates.delete(address)
  await leader.end('SIGKILL')
  const killedAt = performance.now()
  const before = await newestFlush(pool)
  while ((await newestFlush(pool)) === before) await wait(pollMs)
  return performance.now() - killedAt
}

async function newestFlush(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('SELECT max(id)::int AS id FROM tick_batch')
  return rows[0]?.id ?? 0
}

/** Trades until `end`. A request that fails at the edge fails the run: edges outlive their leader. */
function tradeAt(
  traders: readonly Trader[],
  random: ReturnType<typeof seededRandom>,
  report: LeaderKillReport,
) {
  let answers = 0
  let isEnding = false
  let onAnswers = (): void => undefined
  const trading = Promise.all(
    traders.map((trader) => {
      let lastAt = performance.now()
      return trader.trade(random, lanes, () => {
        report.slowestAnswerMs = Math.max(report.slowestAnswerMs, performance.now() - lastAt)
        lastAt = performance.now()
        answers += 1
        onAnswers()
        return !isEnding
      })
    }),
  )
  return {
    waitForAnswers: async (count: number): Promise<void> => {
      const until = answers + count
      await Promise.race([
        trading.then(() => {
          throw new Error('a request at the edge had no answer')
        }),
        new Promise<void>((resolve) => {
          onAnswers = () => {
            if (answers >= until) resolve()
          }
          onAnswers()
        }),
      ])
    },
    end: async (): Promise<void> => {
      isEnding = true
      await trading
    },
  }
}
