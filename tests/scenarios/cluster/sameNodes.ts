import { setTimeout as wait } from 'node:timers/promises'
import { openOwnPostgres, type OwnPostgres } from '../../support/ownPostgres.ts'
import { seededRandom } from '../../support/random.ts'
import { checkStoredRows, type LedgerPosition, type Violations } from '../kill/moneyCheck.ts'
import type { Trader } from '../kill/trader.ts'
import { checkLiveTicks, checkResults, checkTerms, countGaps } from './checks.ts'
import { liveDurations, openCluster, type Cluster } from './cluster.ts'
import { checkTraders, emptyReport, openTraders, startMissing } from './faults.ts'
import type { FaultReport } from './faultRun.ts'
import { applyToLeader } from './leaderFaults.ts'
import { compareProofs, type ComparedProofs } from './nodeProofs.ts'
import { compareTimes, compareViews, nodesOf } from './nodeViews.ts'
import { tradeAtRate } from './trading.ts'

/** After which every node must tell the same. */
export const nodeFaults = {
  together:
    'every node is stopped at once, and every node started at once: after a pause, at once, or before the stop',
  postgres: 'PostgreSQL shuts down, or it crashes, in turn, and starts again up to six seconds later',
  fastStandby: 'a standby whose clock is a minute fast takes over from a killed leader',
  fastStart:
    'every node is stopped, and all are started at once, one of them with a clock that is a minute fast',
}
export type NodeFault = keyof typeof nodeFaults

export type SameNodesPlan = {
  /** The bundled venue's `main.js`. */
  main: string
  seed: number
  /** In this order. */
  faults: readonly NodeFault[]
  /** Orders per second over both edges, and at most so many open requests. */
  rate: number
  openMax: number
  log?: (line: string) => void
}

export type SameNodesReport = ComparedProofs & {
  tried: Partial<Record<NodeFault, number>>
  acknowledged: number
  /** Orders compared with the oracle, and ticks compared with the exchanges. */
  settled: number
  liveTicks: number
  /** Gaps that the faults made. */
  newGaps: number
  /** By how much a node's time surely differed from this machine's, at most, ms. */
  clockMs: number
  violations: Violations
}

type Run = {
  cluster: Cluster
  postgres: OwnPostgres | null
  random: ReturnType<typeof seededRandom>
  faultReport: FaultReport
  /** How many nodes that were started with a fast clock refused to lead, and ended. */
  refusals: number
}

const nodes = { candidates: 2, edges: 2 }
const fastMs = 60_000
const pauseMaxMs = 6000
const ordersMax = 30

/**
 * Members trade at two edges of a venue on live prices, with a leader and a standby, while all nodes are stopped and started,
 * PostgreSQL restarts, and nodes come with a wrong clock. After each fault every node is asked for everything that it tells
 * about the past, and for the time: all must tell the same, and what the database has.
 */
export async function driveSameNodes(plan: SameNodesPlan): Promise<SameNodesReport> {
  const postgres = plan.faults.includes('postgres') ? await openOwnPostgres() : null
  try {
    const cluster = await openCluster({ ...plan, feed: 'live', ...(postgres && { server: postgres.url }) })
    try {
      return await runFaults(plan, {
        cluster,
        postgres,
        random: seededRandom(plan.seed),
        faultReport: emptyReport(),
        refusals: 0,
      })
    } finally {
      await cluster.close()
    }
  } finally {
    await postgres?.close()
  }
}

async function runFaults(plan: SameNodesPlan, run: Run): Promise<SameNodesReport> {
  const { cluster, random, faultReport } = run
  const { violations } = faultReport
  const report: SameNodesReport = {
    tried: {},
    acknowledged: 0,
    settled: 0,
    liveTicks: 0,
    newGaps: 0,
    ticks: 0,
    gaps: 0,
    proofs: 0,
    refunds: 0,
    clockMs: 0,
    differences: [],
    violations,
  }
  await cluster.startCandidate()
  await startMissing(cluster, nodes)
  const traders = await openTraders(cluster)
  const positions = traders.map((): LedgerPosition => ({ version: 0, available: 0, fund: 0 }))
  const known = new Set<string>()
  for (const fault of plan.faults) {
    await startMissing(cluster, nodes)
    report.tried[fault] = (report.tried[fault] ?? 0) + 1
    const gapsBefore = await countGaps(cluster)
    const parts = { cluster, traders, random, report: faultReport }
    const trading = tradeAtRate({ ...plan, ...parts, durations: liveDurations })
    await trading.count(1 + Math.floor(random.next() * ordersMax))
    await apply(fault, run)
    await trading.count(ordersMax)
    await trading.end()
    await checkTraders(cluster, traders, positions, { violations })
    await compareProofs(cluster, traders, known, report)
    await compareViews(cluster, report)
    report.clockMs = Math.max(report.clockMs, await compareTimes(cluster, report))
    await checkStoredRows(cluster.scratch.database.pool, violations)
    report.newGaps += (await countGaps(cluster)) - gapsBefore
    report.acknowledged = faultReport.acknowledged
    plan.log?.(`after ${fault}: ${progressOf(report, run)}`)
  }
  await checkEverything(cluster, traders, report)
  return report
}

async function apply(fault: NodeFault, run: Run): Promise<void> {
  const { cluster, random, faultReport, postgres } = run
  switch (fault) {
    case 'together':
      return restartAll(cluster, random)
    case 'postgres': {
      faultReport.tried.postgres = (faultReport.tried.postgres ?? 0) + 1
      const downMs = random.next() * pauseMaxMs
      return applyToLeader('postgres', {
        cluster,
        report: faultReport,
        faultMs: 0,
        postgres,
        pair: null,
        downMs,
      })
    }
    case 'fastStandby': {
      const leader = await cluster.leader()
      const standbys = cluster.candidates().filter((node) => node !== leader)
      await Promise.all(standbys.map((node) => node.end('SIGTERM')))
      const fast = await cluster.startCandidate({ clockAheadMs: fastMs })
      await applyToLeader('kill', { cluster, report: faultReport, faultMs: 0, postgres, pair: null })
      if ((await cluster.leader()) !== fast) throw new Error('the node with the fast clock does not lead')
      await startMissing(cluster, nodes)
      return
    }
    case 'fastStart':
      await endAll(nodesOf(cluster))
      return startWithFastOne(run)
  }
}

const endAll = (running: readonly { end: (signal: 'SIGTERM') => Promise<void> }[]): Promise<unknown> =>
  Promise.all(running.map((node) => node.end('SIGTERM')))

const role = { candidate: { role: 'auto' }, edge: { role: 'edge' } } as const
const allNodes = [role.candidate, role.candidate, role.edge, role.edge]

async function restartAll(cluster: Cluster, random: Run['random']): Promise<void> {
  const before = nodesOf(cluster)
  const kind = random.next()
  if (kind < 1 / 4) {
    // Standbys that have listened for a while continue the log; otherwise there is a gap, however soon the start comes.
    await cluster.startCandidate()
    await cluster.startCandidate()
    await cluster.startAll([role.edge, role.edge])
    await endAll(before)
    return
  }
  await endAll(before)
  if (kind > 1 / 2) await wait(random.next() * pauseMaxMs)
  await cluster.startAll(allNodes)
}

/** One with a wrong clock may not begin the venue's time: either it stands by, or it ends and says so. */
async function startWithFastOne(run: Run): Promise<void> {
  const { cluster } = run
  const fast = cluster.startAll([{ ...role.candidate, clockAheadMs: fastMs }]).catch((error: unknown) => {
    if (!/clock is 60\.\d s ahead of PostgreSQL's: set it/.test(String(error))) throw error
    run.refusals += 1
  })
  await Promise.all([fast, cluster.startAll([role.candidate, role.edge, role.edge])])
}

async function checkEverything(
  cluster: Cluster,
  traders: readonly Trader[],
  report: SameNodesReport,
): Promise<void> {
  const { violations, differences } = report
  await checkTerms(cluster, violations)
  report.settled = await checkResults(
    traders.map((trader) => trader.client()),
    violations,
  )
  report.liveTicks = await checkLiveTicks(cluster, cluster.edges()[0]?.url ?? '', violations)
  const lines = cluster.outputs().flatMap((output) => output.split('\n'))
  differences.push(
    ...lines.filter((line) => line.includes('the nightly checks found') || isRefusedResult(line)),
  )
}

/** The checks of the database refused what the engine had decided. */
const isRefusedResult = (line: string): boolean =>
  line.includes('settling failed') && line.includes('"code":"23001"')

const progressOf = ({ violations, differences, ...counts }: SameNodesReport, { refusals }: Run): string =>
  JSON.stringify({ ...counts, refusals, differences, violations })
