import { driveEdgeFaults } from '../scenarios/cluster/edgeFaults.ts'
import type { EdgeFault } from '../scenarios/cluster/edgeFaults.ts'
import { driveLeaderFaults } from '../scenarios/cluster/leaderFaults.ts'
import type { LeaderFault } from '../scenarios/cluster/leaderFaults.ts'
import type { ClusterFeed } from '../scenarios/cluster/cluster.ts'
import { natsAnswers } from '../support/nats.ts'
import { withServerBundle } from '../support/serverBundle.ts'
import { postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { spread } from './row.ts'
import type { SoakRun, Row } from './row.ts'

const setting = (name: string, standard: number): number => Number(process.env[name] ?? standard)
/** How often each is tried, with each kind of prices. */
const counts: Record<LeaderFault, number> = {
  kill: setting('KILLS', 100),
  freeze: setting('FREEZES', 50),
  cut: setting('CUTS', 50),
  stall: setting('CUTS', 50),
  bus: setting('CUTS', 50),
  sessions: setting('RESTARTS', 20),
  stop: setting('RESTARTS', 20),
}
const faultMs = 10_000
const edgeKills = setting('EDGE_KILLS', 100)
/** How often every node is stopped and started again. */
const rollings = setting('ROLLINGS', 5)
const sockets = setting('SOCKETS', 20)
/** Orders per second. */
const rate = setting('RATE', 20)

/**
 * Members trade at an edge while its leaders are killed, frozen, cut off and stopped, and at two edges while these are
 * killed and nodes are replaced: nothing is lost, and no gap made.
 */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  if ((await postgresUnavailableReason()) !== null || !(await natsAnswers())) return []
  return withServerBundle(async (main) => {
    const rows: Row[] = []
    for (const feed of ['synthetic', 'live'] as const)
      for (const fault of Object.keys(counts) as LeaderFault[])
        if (counts[fault] > 0) rows.push(await runFault({ main, seed, log, feed, fault }))
    const edgeFaults = Array.from({ length: edgeKills }, (): EdgeFault[] => ['edge', 'logout']).flat()
    if (edgeKills > 0) rows.push(await runEdges({ main, seed, log, faults: edgeFaults }))
    const rolling = Array.from({ length: rollings }, (): EdgeFault => 'rolling')
    if (rollings > 0) rows.push(await runEdges({ main, seed, log, faults: rolling }))
    return rows
  })
}

async function runFault({
  fault,
  feed,
  ...plan
}: SoakRun & { main: string; feed: ClusterFeed; fault: LeaderFault }): Promise<Row> {
  const faults = Array.from({ length: counts[fault] }, () => fault)
  const report = await driveLeaderFaults({ ...plan, feed, faults, faultMs })
  const broken = Object.values(report.violations).flat()
  for (const line of broken) plan.log(line)
  const { nextFlushMs, exitMs, acknowledged, slowestAnswerMs, liveTicks, gaps, lateGaps } = report
  return {
    id: `cluster ${fault}`,
    what: `leaders of ${feed} prices, ${fault}: 0 orders lost or doubled, 0 gaps, 0 writes of a replaced leader`,
    tried: report.tried[fault] ?? 0,
    broken: broken.length + gaps,
    note: [
      `next flush ${spread(nextFlushMs)}`,
      ...(exitMs.length > 0 ? [`the replaced leader ended after ${spread(exitMs)}`] : []),
      `${acknowledged} acknowledged, the slowest answer took ${Math.round(slowestAnswerMs)} ms`,
      ...(feed === 'live'
        ? [`${liveTicks} ticks compared with the exchange, ${lateGaps} gaps of late take-overs`]
        : []),
    ].join('; '),
  }
}

async function runEdges(plan: SoakRun & { main: string; faults: readonly EdgeFault[] }): Promise<Row> {
  const report = await driveEdgeFaults({ ...plan, feed: 'synthetic', sockets, rate })
  const broken = Object.values(report.violations).flat()
  for (const line of broken) plan.log(line)
  const { tried, ticks, missing, doubled, gaps, acknowledged, backMs, logoutMs, slowestAnswerMs } = report
  const isRolling = tried.rolling !== undefined
  return {
    id: isRolling ? 'cluster rolling' : 'cluster edge',
    what: `${isRolling ? 'every node replaced' : 'edges killed'}: 0 orders lost or doubled, 0 gaps, 0 ticks missing or doubled at ${sockets} sockets`,
    tried: tried.rolling ?? tried.edge ?? 0,
    broken: broken.length + gaps + missing + doubled,
    note: [
      ...(backMs.length > 0 ? [`sockets back ${spread(backMs)}`] : []),
      ...(logoutMs.length > 0
        ? [`a log-out ended the socket at the other edge after ${spread(logoutMs)}`]
        : []),
      `${ticks} ticks received`,
      `${acknowledged} acknowledged at ${rate} a second, the slowest answer took ${Math.round(slowestAnswerMs)} ms`,
    ].join('; '),
  }
}
