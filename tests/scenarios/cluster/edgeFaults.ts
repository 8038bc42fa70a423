import { setTimeout as wait } from 'node:timers/promises'
import { hash } from 'node:crypto'
import { verifyLog } from '../../../server/market/log/verifyLog.ts'
import { blackBoxClient, newKey, password } from '../../support/blackBoxClient.ts'
import { seededRandom } from '../../support/random.ts'
import { auditMember, auditRows, noViolations } from '../kill/audit.ts'
import type { LedgerPosition, Violations } from '../kill/audit.ts'
import { openTrader, rateBp, seconds } from '../kill/trader.ts'
import type { SentCall, Trader } from '../kill/trader.ts'
import { openCluster } from './cluster.ts'
import type { Cluster, ClusterNode, ClusterPlan } from './cluster.ts'
import { checkTerms, countGaps } from './leaderFaults.ts'
import { openWatchers } from './watchers.ts'
import type { Watchers } from './watchers.ts'

/**
 * What is done to a cluster with two edges. `edge`: one is killed; another one is started later. `logout`: a member logs out
 * at one edge, with a socket at the other. `rolling`: every node is stopped and started again, one after the other, in the
 * order of an upgrade.
 */
export type EdgeFault = 'edge' | 'logout' | 'rolling'

export type EdgeFaultPlan = ClusterPlan & {
  /** In this order. */
  faults: readonly EdgeFault[]
  /** Watch the prices, half of them at each edge. */
  sockets: number
  /** Orders per second over both edges. */
  rate: number
  log?: (line: string) => void
}

export type EdgeFaultReport = {
  tried: Partial<Record<EdgeFault, number>>
  acknowledged: number
  /** From the kill of an edge until each of its sockets was subscribed at another one, ms. */
  backMs: number[]
  /** From the log-out until the socket at the other edge ended, ms. */
  logoutMs: number[]
  /** The longest that an order took, with its repetitions at another edge, ms. */
  slowestAnswerMs: number
  /** Ticks that the sockets received. */
  ticks: number
  /** Ticks that a socket neither received nor could read after it was back, and those it received twice. */
  missing: number
  doubled: number
  gaps: number
  violations: Violations
}

const members = 2
/** Orders between two faults. */
const ordersPerFault = 10

/** Members trade and watch prices at two edges, while edges are killed and nodes are replaced. */
export async function driveEdgeFaults(plan: EdgeFaultPlan): Promise<EdgeFaultReport> {
  const cluster = await openCluster(plan)
  try {
    return await runFaults(plan, cluster)
  } finally {
    await cluster.close()
  }
}

async function runFaults(plan: EdgeFaultPlan, cluster: Cluster): Promise<EdgeFaultReport> {
  const random = seededRandom(plan.seed)
  const report: EdgeFaultReport = {
    tried: {},
    acknowledged: 0,
    backMs: [],
    logoutMs: [],
    slowestAnswerMs: 0,
    ticks: 0,
    missing: 0,
    doubled: 0,
    gaps: 0,
    violations: noViolations(),
  }
  await cluster.startCandidate()
  if (plan.faults.includes('rolling')) await cluster.startCandidate()
  const [{ url }] = await Promise.all([cluster.startEdge(), cluster.startEdge()])
  const gapsBefore = await countGaps(cluster)
  const traders = await Promise.all(
    Array.from({ length: members }, (_, i) => openTrader(url, `edges_${i}`, `1380000001${i}`)),
  )
  const positions = traders.map((): LedgerPosition => ({ version: 0, available: 0, fund: 0 }))
  const urls = (): string[] => cluster.edges().map((edge) => edge.url)
  const watchers = openWatchers(urls, plan.sockets, () => random.next())
  try {
    await watchers.allBack()
    for (const fault of plan.faults) {
      while (cluster.edges().length < 2) await cluster.startEdge()
      report.tried[fault] = (report.tried[fault] ?? 0) + 1
      if (fault === 'logout') {
        report.logoutMs.push(await logOut(cluster))
        continue
      }
      const orders = placeAtRate(traders, urls, plan.rate, random, report)
      await orders.count(ordersPerFault)
      await apply(fault, cluster, watchers, report)
      await orders.count(ordersPerFault)
      await orders.end()
      for (const [i, trader] of traders.entries()) {
        const position = positions[i]
        trader.moveTo(urls()[i % urls().length] ?? url)
        if (position) await auditMember(trader, position, report.violations)
      }
      await watchers.allBack()
      plan.log?.(`after ${fault}: ${JSON.stringify({ ...report, backMs: report.backMs.length })}`)
    }
    Object.assign(report, await watchers.counts())
  } finally {
    watchers.close()
  }
  report.gaps = (await countGaps(cluster)) - gapsBefore
  const { pool, db } = cluster.scratch.database
  await auditRows(pool, report.violations)
  await checkTerms(cluster, report.violations)
  const { violations } = await verifyLog(db, (text) => hash('sha256', text))
  report.violations.halfWritten.push(...violations.map(String))
  return report
}

async function apply(
  fault: Exclude<EdgeFault, 'logout'>,
  cluster: Cluster,
  watchers: Watchers,
  report: EdgeFaultReport,
): Promise<void> {
  switch (fault) {
    case 'edge': {
      // The eldest: each is killed in its turn.
      const edge = eldest(cluster.edges())
      const back = watchers.backFrom(edge.url)
      await edge.end('SIGKILL')
      report.backMs.push(...(await back))
      return
    }
    case 'rolling': {
      const leader = await cluster.leader()
      for (const standby of cluster.candidates()) {
        if (standby === leader) continue
        await standby.end('SIGTERM')
        await cluster.startCandidate()
      }
      for (const edge of cluster.edges()) {
        await edge.end('SIGTERM')
        await cluster.startEdge()
        await watchers.allBack()
      }
      await leader.end('SIGTERM')
      await cluster.startCandidate()
      return
    }
  }
}

function eldest(nodes: readonly ClusterNode[]): ClusterNode {
  const [first] = nodes
  if (!first) throw new Error('no edge runs')
  return first
}

/** @returns how long after a log-out at one edge the member's socket at the other one ended, ms */
async function logOut(cluster: Cluster): Promise<number> {
  const [here, there] = cluster.edges()
  if (!here || !there) throw new Error('two edges are needed')
  const client = blackBoxClient(here.url)
  await client.login('edges_0', password)
  const sockets = openWatchers(
    () => [there.url],
    1,
    () => 0,
    client.session.cookie,
  )
  try {
    await sockets.allBack()
    const ended = sockets.sessionEnded()
    const startedAt = performance.now()
    const answer = await client.call('POST', '/api/auth/logout')
    if (answer.status >= 300) throw new Error(`log-out: ${answer.text}`)
    await ended
    return performance.now() - startedAt
  } finally {
    sockets.close()
  }
}

/** Places orders at a rate, at each edge in turn; one that has no answer is repeated with its key at the next edge. */
function placeAtRate(
  traders: readonly Trader[],
  urls: () => string[],
  rate: number,
  random: ReturnType<typeof seededRandom>,
  report: EdgeFaultReport,
) {
  const state = { answers: 0, isEnding: false }
  const place = async (index: number, trader: Trader): Promise<void> => {
    const order = {
      productId: 'TEST',
      direction: random.next() < 0.5 ? 'up' : 'down',
      amount: `${1 + Math.floor(random.next() * 20)}.00`,
      seconds,
      rateBp,
      validUntil: Date.now() + 20_000,
    }
    const call: SentCall = { path: '/api/orders', body: order, key: newKey(), answer: null }
    trader.sent.push(call)
    const startedAt = performance.now()
    for (let turn = index; call.answer === null; turn += 1) {
      const url = urls()[turn % urls().length] ?? ''
      call.answer = await blackBoxClient(url, trader.client().session)
        .postWithKey<{ id: string }>(call.path, order, call.key)
        .then((answer) => (answer.status === 503 ? null : answer))
        .catch(noAnswer)
      if (call.answer === null) await wait(retryMs)
    }
    report.slowestAnswerMs = Math.max(report.slowestAnswerMs, performance.now() - startedAt)
    if (call.answer.status < 300) report.acknowledged += 1
    state.answers += 1
  }
  const placing = (async (): Promise<void> => {
    const open: Promise<void>[] = []
    for (let index = 0; !state.isEnding; index += 1) {
      const trader = traders[index % traders.length]
      // Two orders at each edge, then two at the other: each member trades at both.
      if (trader) open.push(place(index >> 1, trader))
      await wait(1000 / rate)
    }
    await Promise.all(open)
  })()
  return {
    /** Waits for so many more answers. */
    count: async (more: number): Promise<void> => {
      const until = state.answers + more
      while (state.answers < until) await Promise.race([wait(retryMs), placing])
    },
    end: async (): Promise<void> => {
      state.isEnding = true
      await placing
    },
  }
}

const retryMs = 20

/** What `fetch` says when the edge is killed or stopped; anything else is a defect of the test. */
function noAnswer(error: unknown): null {
  if (error instanceof TypeError || error instanceof SyntaxError) return null
  throw error
}
