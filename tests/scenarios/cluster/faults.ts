import { hash } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { verifyLog } from '../../../server/market/log/verifyLog.ts'
import { openOwnPostgres } from '../../support/ownPostgres.ts'
import { openPostgresPair } from '../../support/postgresPair.ts'
import { seededRandom } from '../../support/random.ts'
import { checkMember, checkStoredRows, noViolations, type LedgerPosition } from '../kill/moneyCheck.ts'
import { openTrader, type Trader } from '../kill/trader.ts'
import { checkLiveTicks, checkResults, checkTerms, countGaps } from './checks.ts'
import { openCluster, type Cluster, type ClusterPlan } from './cluster.ts'
import { applyToEdges } from './edgeFaults.ts'
import { leaderFaults, type LeaderFault, type FaultReport, type FaultRun, type Fault } from './faultRun.ts'
import { applyToLeader } from './leaderFaults.ts'
import { watchLog } from './logWatcher.ts'
import { tradeAtRate } from './trading.ts'
import { openWatchers } from './watchers.ts'

export type FaultPlan = Omit<ClusterPlan, 'server'> & {
  /** In this order. */
  faults: readonly Fault[]
  /** How many nodes may lead, and how many edges there are. */
  candidates: number
  edges: number
  /** How long a frozen or a cut leader stays so, at least. */
  faultMs?: number
  /** Watch the prices, as many at each edge. */
  sockets: number
  /** Orders per second over all edges. */
  rate: number
  /** At most so many requests are open: a venue that is too slow for the rate gets fewer. */
  openMax: number
  log?: (line: string) => void
}

const members = 2
/** Between two faults, a fault comes after at most this many orders. */
const ordersMax = 30
/** On a busy machine a take-over may be later than live prices allow: after 5 s without a logged one. */
const lateMs = 3000
/** The exchanges run in this process: if it stood still for long, they were silent. */
const exchangeSilentMs = 1000

/**
 * Members trade and watch prices at edges while the leader or an edge is killed, cut off, stopped or replaced; another node
 * is started each time. Nothing that was acknowledged may be lost or doubled, no gap may arise, no socket may miss a tick,
 * and no leader may write after the next one.
 */
export async function driveFaults(plan: FaultPlan): Promise<FaultReport> {
  const pair = plan.faults.includes('failover') ? await openPostgresPair() : null
  const postgres = pair === null && plan.faults.includes('postgres') ? await openOwnPostgres() : null
  const server = (pair ?? postgres)?.url
  try {
    const cluster = await openCluster({ ...plan, ...(server !== undefined && { server }) })
    try {
      return await runFaults(plan, cluster, { postgres, pair })
    } finally {
      await cluster.close()
    }
  } finally {
    await (pair ?? postgres)?.close()
  }
}

export const emptyReport = (): FaultReport => ({
  tried: {},
  acknowledged: 0,
  answerMs: [],
  repeated: 0,
  nextFlushMs: [],
  exitMs: [],
  backMs: [],
  logoutMs: [],
  lostSockets: 0,
  ticks: 0,
  missing: 0,
  doubled: 0,
  settled: 0,
  liveTicks: 0,
  gaps: 0,
  lateGaps: 0,
  violations: noViolations(),
})

async function runFaults(
  plan: FaultPlan,
  cluster: Cluster,
  servers: Pick<FaultRun, 'postgres' | 'pair'>,
): Promise<FaultReport> {
  const random = seededRandom(plan.seed)
  const report = emptyReport()
  const loopDelay = monitorEventLoopDelay()
  loopDelay.enable()
  await cluster.startCandidate()
  await startMissing(cluster, plan)
  const traders = await openTraders(cluster)
  const positions = traders.map((): LedgerPosition => ({ version: 0, available: 0, fund: 0 }))
  const watchers = openWatchers(cluster, plan.sockets, () => random.next())
  const logWatcher = watchLog(cluster)
  const run: FaultRun = { cluster, watchers, report, faultMs: plan.faultMs ?? 0, ...servers }
  try {
    await watchers.allBack()
    let gapsBefore = await countGaps(cluster)
    for (const fault of plan.faults) {
      await startMissing(cluster, plan)
      await watchers.allBack()
      report.tried[fault] = (report.tried[fault] ?? 0) + 1
      if (fault === 'logout') {
        await apply(fault, run)
        continue
      }
      const trading = tradeAtRate({ ...plan, cluster, traders, random, report })
      await trading.count(1 + Math.floor(random.next() * ordersMax))
      loopDelay.reset()
      await apply(fault, run)
      await trading.count(ordersMax)
      await trading.end()
      await watchers.allBack()
      await checkTraders(cluster, traders, positions, report)
      const gaps = await countGaps(cluster)
      const isLate = (report.nextFlushMs.at(-1) ?? 0) > lateMs || loopDelay.max / 1e6 > exchangeSilentMs
      report[plan.feed === 'live' && isLate ? 'lateGaps' : 'gaps'] += gaps - gapsBefore
      gapsBefore = gaps
      plan.log?.(`after ${fault}: ${progressOf(report)}`)
    }
    Object.assign(report, await watchers.counts())
    report.violations.forked.push(...(await logWatcher.end()))
  } finally {
    watchers.close()
    logWatcher.close()
    loopDelay.disable()
  }
  await checkEverything(plan, cluster, traders, report)
  return report
}

const isLeaderFault = (fault: Fault): fault is LeaderFault => fault in leaderFaults

const apply = (fault: Fault, run: FaultRun): Promise<void> =>
  isLeaderFault(fault) ? applyToLeader(fault, run) : applyToEdges(fault, run)

/** Starts the nodes again that have exited, as a service manager does. */
export async function startMissing(
  cluster: Cluster,
  { candidates, edges }: Pick<FaultPlan, 'candidates' | 'edges'>,
): Promise<void> {
  const missing = (wanted: number, running: readonly unknown[]): number[] =>
    Array.from({ length: Math.max(0, wanted - running.length) }, (_, i) => i)
  await Promise.all([
    ...missing(candidates, cluster.candidates()).map(() => cluster.startCandidate()),
    ...missing(edges, cluster.edges()).map(() => cluster.startEdge()),
  ])
}

export const openTraders = (cluster: Cluster): Promise<Trader[]> =>
  Promise.all(
    Array.from({ length: members }, (_, i) => {
      const edges = cluster.edges()
      return openTrader(edges[i % edges.length]?.url ?? '', `trader_${i}`, `1380000000${i}`)
    }),
  )

export async function checkTraders(
  cluster: Cluster,
  traders: readonly Trader[],
  positions: readonly LedgerPosition[],
  { violations }: Pick<FaultReport, 'violations'>,
): Promise<void> {
  const edges = cluster.edges()
  for (const [i, trader] of traders.entries()) {
    trader.moveTo(edges[i % edges.length]?.url ?? '')
    const position = positions[i]
    if (position) await checkMember(trader, position, violations)
  }
}

async function checkEverything(
  { feed }: FaultPlan,
  cluster: Cluster,
  traders: readonly Trader[],
  report: FaultReport,
): Promise<void> {
  const { pool, db } = cluster.scratch.database
  const { violations } = report
  await checkStoredRows(pool, violations)
  await checkTerms(cluster, violations)
  report.settled = await checkResults(
    traders.map((trader) => trader.client()),
    violations,
  )
  if (feed === 'live')
    report.liveTicks = await checkLiveTicks(cluster, cluster.edges()[0]?.url ?? '', violations)
  const log = await verifyLog(db, (text) => hash('sha256', text))
  violations.halfWritten.push(...log.violations.map(String))
}

function progressOf({
  tried,
  acknowledged,
  repeated,
  lostSockets,
  nextFlushMs,
  gaps,
  violations,
}: FaultReport) {
  const flushMs = Math.round(nextFlushMs.at(-1) ?? 0)
  return JSON.stringify({ tried, acknowledged, repeated, lostSockets, flushMs, gaps, violations })
}
