import { setTimeout as pause } from 'node:timers/promises'
import type { ProductRow } from '../../server/market/feed/products.ts'
import { deskKey, openCluster, venueKey, type Cluster } from '../scenarios/cluster/cluster.ts'
import { emptyReport } from '../scenarios/cluster/faults.ts'
import { tradeAtRate } from '../scenarios/cluster/trading.ts'
import { openTrader, tradedProduct } from '../scenarios/kill/trader.ts'
import { natsAnswers } from '../support/nats.ts'
import { productRow, walk } from '../support/productRow.ts'
import { seededRandom } from '../support/random.ts'
import { postgresServer, postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { withServerBundle } from '../support/serverBundle.ts'
import { percentile } from '../soak/row.ts'
import { openAlone } from './edge/alone.ts'
import { openObserver, openReceivers, type Observer } from './edge/processes.ts'
import type { Delays } from './edge/messages.ts'
import { median, type Row } from './row.ts'

/** `SOCKETS=200`, `SECONDS=2` and `ROUNDS=1` make a small run; without rounds only the delays are measured. */
const sockets = Number(process.env['SOCKETS'] ?? 2000)
const seconds = Number(process.env['SECONDS'] ?? 10)
const rounds = Number(process.env['ROUNDS'] ?? 5)
const warmUpMs = seconds * 500
const tradeSockets = Math.min(sockets, 200)
/** Orders a second, over both edges. */
const orderRate = 20
const openMax = 100
/** Of the time with trading; in half of them the bare processes send beside it. */
const tradingParts = 8

/** The products of one page, with two ticks a flush, and the one that is traded. */
const watched = Array.from({ length: 10 }, (_, i) => `P${i}`)
const products: ProductRow[] = [
  ...watched.map((id, i) => productRow(id, { feed: walk({ seed: i + 1, ticksPerSecond: 40 }) })),
  tradedProduct,
]

type Venue = { cluster: Cluster; observer: Observer; aloneUrl: string }

/** Where the sockets of a measurement are: half at each edge, half at the first edge and half at the node alone, or all there. */
type Load = 'none' | 'edges' | 'halves' | 'alone'
type Measurement = {
  /** Processor time a second, ms: of the leader; of the nodes that have the sockets, or without any of an edge and the node alone. */
  leaderMs: number
  nodesMs: number[]
  /** Frames a second that the sockets of each of these nodes received. */
  frames: number[]
  delays: Delays
}

/**
 * Figures B6: what edges cost. A leader, a standby and two edges on one PostgreSQL and one NATS, and beside them one node
 * alone with the same products; the rounds of all loads take turns.
 */
export async function run(): Promise<Row[]> {
  const reason = await postgresUnavailableReason()
  if (reason !== null) throw new Error(`PostgreSQL is needed: ${reason}`)
  if (!(await natsAnswers())) throw new Error('NATS is needed')
  return withServerBundle(async (main) => {
    const observer = await openObserver(postgresServer())
    const direct = (databaseUrl: string): string => observer.through(databaseUrl)
    const cluster = await openCluster({ main, feed: 'synthetic', seed: 1, products, direct })
    try {
      await cluster.startCandidate()
      await cluster.startCandidate()
      await Promise.all([cluster.startEdge(), cluster.startEdge()])
      const urls = cluster.edges().map(({ url }) => url)
      await observer.watch({ databaseUrl: cluster.scratch.url, products, venueKey }, urls, watched[0] ?? '')
      // Before the node alone starts: it would share the processors with what is measured.
      const traded = await measureTrading({ cluster, observer })
      if (rounds === 0) return delayRows(traded)
      const alone = await openAlone(main, products)
      try {
        return [
          ...delayRows(traded),
          ...rowsOf(await measureLoads({ cluster, observer, aloneUrl: alone.url })),
        ]
      } finally {
        await alone.close()
      }
    } catch (error) {
      console.error(cluster.outputs().join('\n'))
      throw error
    } finally {
      await observer.unwatch()
      await cluster.close()
      await observer.close()
    }
  })
}

async function measureLoads(venue: Venue): Promise<Record<Load, Measurement[]>> {
  const loads: readonly Load[] = ['none', 'edges', 'halves', 'alone']
  const measured: Record<Load, Measurement[]> = { none: [], edges: [], halves: [], alone: [] }
  for (let round = 0; round < rounds; round++) {
    for (const load of round % 2 === 0 ? loads : loads.toReversed())
      measured[load].push(await measure(venue, load))
  }
  return measured
}

async function measure({ cluster, observer, aloneUrl }: Venue, load: Load): Promise<Measurement> {
  const leader = (await cluster.leader()).url
  const [first = '', second = ''] = cluster.edges().map(({ url }) => url)
  const placed: Record<Load, string[]> = {
    none: [],
    edges: [first, second],
    halves: [first, aloneUrl],
    alone: [aloneUrl],
  }
  const urls = placed[load]
  const receivers = await Promise.all(urls.map((url) => openReceivers(url, sockets / urls.length, watched)))
  await pause(warmUpMs)
  const nodes = load === 'none' ? [first, aloneUrl] : urls
  const measuredMs = await processorMs([leader, ...nodes], async () => {
    for (const each of [observer, ...receivers]) each.begin()
    await pause(seconds * 1000)
    const frames = await Promise.all(receivers.map((each) => each.end()))
    return { frames, delays: await observer.end() }
  })
  await Promise.all(receivers.map((each) => each.close()))
  const [leaderMs = Number.NaN, ...nodesMs] = measuredMs.ms
  return { leaderMs, nodesMs, ...measuredMs.result }
}

/** @returns of each commit while members trade at both edges */
async function measureTrading({ cluster, observer }: Omit<Venue, 'aloneUrl'>): Promise<Delays> {
  const edges = cluster.edges().map(({ url }) => url)
  const random = seededRandom(1)
  const traders = await Promise.all(edges.map((url, i) => openTrader(url, `trader_${i}`, `1380000000${i}`)))
  const receivers = await Promise.all(edges.map((url) => openReceivers(url, tradeSockets / 2, watched)))
  const trading = tradeAtRate({ cluster, traders, rate: orderRate, openMax, random, report: emptyReport() })
  await trading.count(orderRate * 2)
  const plain: Delays[] = []
  const bare: Delays[] = []
  for (let part = 0; part < tradingParts; part++) {
    // A B B A: whatever else the machine does affects both.
    const isBare = part % 4 === 1 || part % 4 === 2
    observer.begin(isBare)
    await trading.count(orderRate * seconds)
    const measured = isBare ? bare : plain
    measured.push(await observer.end())
  }
  await trading.end()
  await Promise.all(receivers.map((each) => each.close()))
  return {
    appliedMs: plain.flatMap(({ appliedMs }) => appliedMs),
    receivedMs: plain.flatMap(({ receivedMs }) => receivedMs),
    bareMs: bare.flatMap(({ bareMs }) => bareMs),
  }
}

/** Processor time of nodes while `work` runs, in ms a second. */
async function processorMs<T>(
  urls: readonly string[],
  work: () => Promise<T>,
): Promise<{ ms: number[]; result: T }> {
  const read = () => Promise.all(urls.map(readProcessorMs))
  const before = await read()
  const startedAt = performance.now()
  const result = await work()
  const elapsedS = (performance.now() - startedAt) / 1000
  const after = await read()
  return { ms: after.map((ms, i) => (ms - (before[i] ?? 0)) / elapsedS), result }
}

/** Processor time of a node since its start, from its own metrics. */
async function readProcessorMs(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${deskKey}` } })
  const [, value] = /^process_cpu_seconds_total\{[^}]*\} (\S+)$/m.exec(await answer.text()) ?? []
  if (value === undefined) throw new Error(`no processor time at ${url}: ${answer.status}`)
  return Number(value) * 1000
}

const row = (what: string, value: number, unit: string): Row => ({ id: 'B6', what, value, unit })
const most = (limited: Row, limit: number): Row => ({
  ...limited,
  limit: `≤ ${Math.round(limit * 100) / 100}`,
  ok: limited.value <= limit,
})
const delay = (what: string, ms: readonly number[], p: number): Row =>
  row(`${what}: p${p * 100}`, percentile(ms, p), 'ms')

/** If messages between processes without work take longer than a limit, their time is the limit: nothing of it is the venue's. */
function delayRows(traded: Delays): Row[] {
  const trading = `${orderRate} orders/s, ${tradeSockets} sockets`
  const atMost = (share: number, ms: number): number => Math.max(ms, percentile(traded.bareMs, share))
  return [
    most(delay(`commit to edge, ${trading}`, traded.appliedMs, 0.5), atMost(0.5, 1)),
    most(delay(`commit to edge, ${trading}`, traded.appliedMs, 0.99), atMost(0.99, 10)),
    delay(`the same bytes between processes without work, ${trading}`, traded.bareMs, 0.5),
    delay(`the same bytes between processes without work, ${trading}`, traded.bareMs, 0.99),
    delay(`commit to a member’s socket, ${trading}`, traded.receivedMs, 0.5),
    most(delay(`commit to a member’s socket, ${trading}`, traded.receivedMs, 0.99), 10),
  ]
}

function rowsOf(measured: Record<Load, Measurement[]>): Row[] {
  const leaderMs = (load: Load): number => median(measured[load].map((each) => each.leaderMs))
  const leaderRatio = (load: Load, to: Load): number =>
    median(measured[load].map((each, i) => each.leaderMs / (measured[to][i]?.leaderMs ?? Number.NaN)))
  // Sockets anywhere on this machine slow the leader, so those at the node alone are what the edges' are compared with.
  const ofEdges = leaderRatio('edges', 'alone')
  const frameUs = ({ nodesMs, frames }: Measurement, node: number): number =>
    ((nodesMs[node] ?? Number.NaN) * 1000) / (frames[node] ?? Number.NaN)
  /** Processor time of a frame beyond what the node needs without sockets. */
  const moreUs = (each: Measurement, i: number, node: number): number =>
    (((each.nodesMs[node] ?? Number.NaN) - (measured.none[i]?.nodesMs[node] ?? Number.NaN)) * 1000) /
    (each.frames[node] ?? Number.NaN)
  const at = `${sockets} sockets at two edges`
  const busy = (to: keyof Delays): number[] => measured.edges.flatMap(({ delays }) => delays[to])
  return [
    delay(`commit to edge, ${at}`, busy('appliedMs'), 0.5),
    delay(`commit to edge, ${at}`, busy('appliedMs'), 0.99),
    delay(`commit to a member’s socket, ${at}`, busy('receivedMs'), 0.5),
    delay(`commit to a member’s socket, ${at}`, busy('receivedMs'), 0.99),
    row('leader, no sockets: processor time a second', leaderMs('none'), 'ms'),
    row(`leader, ${at}: processor time a second`, leaderMs('edges'), 'ms'),
    row(`leader, ${sockets} sockets at the node alone / no sockets`, leaderRatio('alone', 'none'), '×'),
    row(`leader, ${at} / no sockets`, leaderRatio('edges', 'none'), '×'),
    {
      ...row(`leader, ${at} / at the node alone`, ofEdges, '×'),
      limit: '0.95 … 1.05',
      ok: Math.abs(ofEdges - 1) <= 0.05,
    },
    row(
      'node alone: processor time a delivered frame',
      median(measured.halves.map((each) => frameUs(each, 1))),
      'µs',
    ),
    row(
      'edge: processor time a delivered frame',
      median(measured.halves.map((each) => frameUs(each, 0))),
      'µs',
    ),
    row(
      'the same beyond what each needs without sockets, edge / node alone',
      median(measured.halves.map((each, i) => moreUs(each, i, 0) / moreUs(each, i, 1))),
      '×',
    ),
    most(
      row(
        'processor time a delivered frame, edge / node alone',
        median(measured.halves.map((each) => frameUs(each, 0) / frameUs(each, 1))),
        '×',
      ),
      1.05,
    ),
  ]
}
