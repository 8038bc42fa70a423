import { hash } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { verifyLog } from '../../../server/market/log/verifyLog.ts'
import { blackBoxClient } from '../../support/blackBoxClient.ts'
import { seededRandom } from '../../support/random.ts'
import { auditMember, auditRows, noViolations } from '../kill/audit.ts'
import type { LedgerPosition, Violations } from '../kill/audit.ts'
import { openTrader } from '../kill/trader.ts'
import type { Trader } from '../kill/trader.ts'
import { openCluster } from './cluster.ts'
import type { Cluster, ClusterNode, ClusterPlan } from './cluster.ts'

/**
 * What is done to the leader. `freeze`: SIGSTOP for a while. `cut`: its connections to PostgreSQL break, and new ones are
 * refused. `stall`: they stay open, but nothing passes. `bus`: it is cut from NATS.
 * `sessions`: PostgreSQL ends every session of every node, as its restart does. `stop`: SIGTERM, as an upgrade does.
 */
export type LeaderFault = 'kill' | 'freeze' | 'cut' | 'stall' | 'bus' | 'sessions' | 'stop'

export type LeaderFaultPlan = ClusterPlan & {
  /** In this order. */
  faults: readonly LeaderFault[]
  /** How long a frozen or a cut leader stays so, at least. */
  faultMs: number
  log?: (line: string) => void
}

export type LeaderFaultReport = {
  /** How often each fault was tried. */
  tried: Partial<Record<LeaderFault, number>>
  acknowledged: number
  /** From each fault to the next flush of another leader, ms. */
  nextFlushMs: number[]
  /** From its resumption to the exit of a leader that was frozen or cut, ms. */
  exitMs: number[]
  /** The longest that a request at the edge took, ms. */
  slowestAnswerMs: number
  /** Ticks of live products that were compared with their exchange. */
  liveTicks: number
  gaps: number
  /** Gaps that are right: the take-over was too late for live prices, or the exchange itself was silent. */
  lateGaps: number
  violations: Violations
}

const members = 2
const lanes = 2
/** A fault comes after at most this many answers. */
const answersMax = 30
const pollMs = 5
const takeOverMaxMs = 30_000
/** On a busy machine a take-over may be later than live prices allow: after 5 s without a logged one. */
const lateMs = 3000
/** The exchanges run in this process: if it stood still for long, they were silent. */
const exchangeSilentMs = 1000

/**
 * Members trade at an edge while its leader is killed, frozen or cut off; a standby takes over each time, and another one
 * is started. Nothing that was acknowledged may be lost or doubled, no gap may arise, and no leader may write after the
 * next one.
 */
export async function driveLeaderFaults(plan: LeaderFaultPlan): Promise<LeaderFaultReport> {
  const cluster = await openCluster(plan)
  try {
    return await runFaults(plan, cluster)
  } finally {
    await cluster.close()
  }
}

async function runFaults(plan: LeaderFaultPlan, cluster: Cluster): Promise<LeaderFaultReport> {
  const { pool, db } = cluster.scratch.database
  const random = seededRandom(plan.seed)
  const report: LeaderFaultReport = {
    tried: {},
    acknowledged: 0,
    nextFlushMs: [],
    exitMs: [],
    slowestAnswerMs: 0,
    liveTicks: 0,
    gaps: 0,
    lateGaps: 0,
    violations: noViolations(),
  }
  const loopDelay = monitorEventLoopDelay()
  loopDelay.enable()
  await cluster.startCandidate()
  const [edge] = await Promise.all([cluster.startEdge(), cluster.startCandidate()])
  const { url } = edge
  let gapsBefore = await countGaps(cluster)
  const traders = await Promise.all(
    Array.from({ length: members }, (_, i) => openTrader(url, `leaders_${i}`, `1380000000${i}`)),
  )
  const positions = traders.map((): LedgerPosition => ({ version: 0, available: 0, fund: 0 }))
  for (const [i, fault] of plan.faults.entries()) {
    const trading = tradeAt(edge, traders, random, report)
    await trading.waitForAnswers(1 + Math.floor(random.next() * answersMax))
    loopDelay.reset()
    await apply(fault, cluster, plan, report)
    report.tried[fault] = (report.tried[fault] ?? 0) + 1
    await trading.waitForAnswers(answersMax)
    await trading.end()
    for (const [at, trader] of traders.entries()) {
      report.acknowledged += trader.sent.filter(({ answer }) => (answer?.status ?? 500) < 300).length
      const position = positions[at]
      if (position) await auditMember(trader, position, report.violations)
    }
    const gaps = await countGaps(cluster)
    const isLate = (report.nextFlushMs.at(-1) ?? 0) > lateMs || loopDelay.max / 1e6 > exchangeSilentMs
    report[plan.feed === 'live' && isLate ? 'lateGaps' : 'gaps'] += gaps - gapsBefore
    if (i < plan.faults.length - 1) await restart(cluster)
    gapsBefore = await countGaps(cluster)
    plan.log?.(`after ${fault}: ${JSON.stringify(report)}`)
  }
  await auditRows(pool, report.violations)
  await checkTerms(cluster, report.violations)
  if (plan.feed === 'live') report.liveTicks = await checkLiveTicks(cluster, url, report.violations)
  loopDelay.disable()
  const { violations } = await verifyLog(db, (text) => hash('sha256', text))
  report.violations.halfWritten.push(...violations.map(String))
  return report
}

async function apply(
  fault: LeaderFault,
  cluster: Cluster,
  { faultMs }: LeaderFaultPlan,
  report: LeaderFaultReport,
): Promise<void> {
  const leader = await cluster.leader()
  const { term } = await cluster.newest()
  const startedAt = performance.now()
  const takeOver = async (): Promise<void> => {
    await untilFlush(cluster, (newest) => newest.term > term, fault)
    report.nextFlushMs.push(performance.now() - startedAt)
  }
  const waitRest = () => wait(Math.max(0, faultMs - (performance.now() - startedAt)))
  switch (fault) {
    case 'kill':
      await leader.end('SIGKILL')
      return takeOver()
    case 'stop':
      await leader.end('SIGTERM')
      return takeOver()
    case 'freeze':
      leader.signal('SIGSTOP')
      await takeOver()
      await waitRest()
      leader.signal('SIGCONT')
      return waitForExit(leader, report)
    case 'cut':
    case 'stall':
      leader.database[fault]()
      await takeOver()
      await waitRest()
      leader.database.restore()
      return waitForExit(leader, report)
    case 'bus': {
      leader.bus.cut()
      await takeOver()
      await waitForExit(leader, report)
      leader.bus.restore()
      return
    }
    case 'sessions': {
      const standbys = cluster.candidates().filter((node) => node !== leader)
      await cluster.scratch.database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name NOT LIKE 'uptick tests%'`,
      )
      await Promise.all([takeOver(), leader.exited])
      for (const node of standbys)
        if (node.hasExited()) report.violations.lost.push(`a standby exited: ${node.output()}`)
      return
    }
  }
}

/** Whoever runs the nodes starts those again that have exited. */
async function restart(cluster: Cluster): Promise<void> {
  while (cluster.candidates().length < 2) await cluster.startCandidate()
}

async function untilFlush(
  cluster: Cluster,
  isReached: (newest: { term: number; id: number }) => boolean,
  fault: LeaderFault,
): Promise<void> {
  const giveUpAt = performance.now() + takeOverMaxMs
  while (!isReached(await cluster.newest())) {
    if (performance.now() > giveUpAt) {
      const said = cluster.candidates().map((node) => node.output())
      throw new Error(`no flush within ${takeOverMaxMs} ms after ${fault}: ${said.join()}`)
    }
    await wait(pollMs)
  }
}

/** A leader that finds another one in its place ends, with one line that says so. */
async function waitForExit(leader: ClusterNode, { exitMs, violations }: LeaderFaultReport): Promise<void> {
  const resumedAt = performance.now()
  const code = await leader.exited
  exitMs.push(performance.now() - resumedAt)
  if (code !== 1) violations.doubled.push(`a replaced leader ended with ${code}: ${leader.output()}`)
}

export async function countGaps({ scratch }: Cluster): Promise<number> {
  const { rows } = await scratch.database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM feed_gap',
  )
  return rows[0]?.count ?? -1
}

/** No leader writes after the next one: terms never go back, and no flush is missing. */
export async function checkTerms({ scratch }: Cluster, { doubled }: Violations): Promise<void> {
  const { rows } = await scratch.database.pool.query<{ id: number; term: number; at: number }>(
    'SELECT id::int AS id, term::int AS term, at::float8 AS at FROM tick_batch ORDER BY id',
  )
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1]
    if (!before) continue
    if (row.id !== before.id + 1 || row.term < before.term || row.at < before.at)
      doubled.push(`flush ${JSON.stringify(row)} after ${JSON.stringify(before)}`)
  }
}

type TicksAnswer = { ticks: [number, number, string, string, string?, number?][] }
const ticksPerCall = 1000

/** Every trade of the exchanges since the first logged one is in the log once, or in a gap. @returns how many are logged */
async function checkLiveTicks(
  { exchanges, scratch }: Cluster,
  url: string,
  { lost, doubled }: Violations,
): Promise<number> {
  const client = blackBoxClient(url)
  let count = 0
  for (const [productId, symbol] of [
    ['TEST', 'BTCUSDT'],
    ['WITNESSED', 'ETHUSDT'],
    ['WITNESSED~coinbase', 'ETH-USD'],
  ] as const) {
    const made = exchanges.flatMap(({ core }) => core.trades).filter((trade) => trade.symbol === symbol)
    const until = made.at(-1)?.id ?? 0
    const path = `/api/products/${encodeURIComponent(productId)}`
    const ticks: TicksAnswer['ticks'] = []
    while (Number(ticks.at(-1)?.[4] ?? 0) < until) {
      const answer = await client.get<TicksAnswer>(
        `${path}/ticks?afterSeq=${ticks.length}&limit=${ticksPerCall}`,
      )
      if (answer.status !== 200) throw new Error(`${productId}: ${answer.text}`)
      ticks.push(...answer.body.ticks)
    }
    const { rows: gaps } = await scratch.database.pool.query<{ from: number; to: number }>(
      `SELECT from_at::float8 AS "from", to_at::float8 AS "to"
       FROM feed_gap JOIN feed_product USING (ix) WHERE id = $1`,
      [productId],
    )
    count += ticks.length
    for (const [i, [, at, , , id]] of ticks.entries()) {
      const before = ticks[i - 1]
      if (!before) continue
      const missing = Number(id) - Number(before[4]) - 1
      if (missing < 0) doubled.push(`${productId}: trade ${id} after ${before[4]}`)
      const isGap = gaps.some(({ from, to }) => from >= before[1] && to <= at)
      if (missing > 0 && !isGap) lost.push(`${productId}: no gap for ${missing} trades before ${id}`)
    }
  }
  return count
}

/** Trades until `end`. A request that fails at the edge fails the run: edges outlive their leader. */
function tradeAt(
  edge: ClusterNode,
  traders: readonly Trader[],
  random: ReturnType<typeof seededRandom>,
  report: LeaderFaultReport,
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
          const state = edge.hasExited() ? 'has exited' : 'runs'
          throw new Error(`a request had no answer, and the edge ${state}: ${edge.output()}`)
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
