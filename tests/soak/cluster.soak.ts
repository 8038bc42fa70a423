import { driveFaults } from '../scenarios/cluster/faults.ts'
import type { Fault, FaultReport } from '../scenarios/cluster/faultRun.ts'
import type { ClusterFeed } from '../scenarios/cluster/cluster.ts'
import { natsAnswers } from '../support/nats.ts'
import { ownPostgresUnavailableReason } from '../support/ownPostgres.ts'
import { withServerBundle } from '../support/serverBundle.ts'
import { postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { percentile, spread, type SoakRun, type Row } from './row.ts'

const setting = (name: string, standard: number): number => Number(process.env[name] ?? standard)
const list = <T extends string>(name: string, all: readonly T[]): T[] => {
  const wanted = process.env[name]?.split(',')
  return all.filter((each) => wanted?.includes(each) ?? true)
}
/** How often each is tried, with each kind of prices. With `edge` comes a logout each time. */
const counts: Record<Exclude<Fault, 'logout'>, number> = {
  kill: setting('KILLS', 100),
  freeze: setting('FREEZES', 50),
  cut: setting('CUTS', 50),
  stall: setting('CUTS', 50),
  bus: setting('CUTS', 50),
  sessions: setting('RESTARTS', 20),
  postgres: setting('RESTARTS', 20),
  failover: setting('FAILOVERS', 10),
  stop: setting('RESTARTS', 20),
  edge: setting('EDGE_KILLS', 100),
  rolling: setting('ROLLINGS', 5),
}
const faults = list('FAULTS', Object.keys(counts) as (keyof typeof counts)[])
const feeds = list<ClusterFeed>('FEEDS', ['synthetic', 'live'])
const faultMs = 10_000
const sockets = setting('SOCKETS', 200)
/** Orders per second. */
const rate = setting('RATE', 20)
const openMaxSeconds = 5

type Limit = { what: string; valuesOf: (report: FaultReport) => readonly number[]; share: number; ms: number }
const nextFlush = (share: number, ms: number): Limit => ({
  what: 'next flush',
  valuesOf: ({ nextFlushMs }) => nextFlushMs,
  share,
  ms,
})
/** What must not take longer: the p99, or each one where `share` is 1. */
const limits: Partial<Record<Fault, readonly Limit[]>> = {
  kill: [
    nextFlush(0.99, 500),
    { what: 'answer to an order', valuesOf: ({ answerMs }) => answerMs, share: 1, ms: 3000 },
  ],
  freeze: [
    nextFlush(1, 4000),
    { what: 'exit of the woken leader', valuesOf: ({ exitMs }) => exitMs, share: 1, ms: 1000 },
  ],
  edge: [
    { what: 'sockets back', valuesOf: ({ backMs }) => backMs, share: 0.99, ms: 5000 },
    { what: 'log-out at the other edge', valuesOf: ({ logoutMs }) => logoutMs, share: 1, ms: 1000 },
  ],
}

/**
 * Members trade at two edges and watch prices there while the leader is killed, frozen, cut off and stopped, PostgreSQL
 * restarts, edges are killed and nodes are replaced: nothing is lost, no gap made, and nothing takes too long.
 */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  if ((await postgresUnavailableReason()) !== null || !(await natsAnswers())) return []
  return withServerBundle(async (main) => {
    const rows: Row[] = []
    for (const feed of feeds)
      for (const fault of faults) {
        const needsOwnServer = fault === 'postgres' || fault === 'failover'
        const reason = needsOwnServer ? ownPostgresUnavailableReason() : null
        if (reason !== null) log(`${fault} is skipped: ${reason}`)
        else if (counts[fault] > 0) rows.push(await runFault({ main, seed, log, feed, fault }))
      }
    return rows
  })
}

async function runFault({
  fault,
  feed,
  ...plan
}: SoakRun & { main: string; feed: ClusterFeed; fault: keyof typeof counts }): Promise<Row> {
  const each: Fault[] = fault === 'edge' ? ['edge', 'logout'] : [fault]
  const report = await driveFaults({
    ...plan,
    feed,
    faults: Array.from({ length: counts[fault] }, () => each).flat(),
    candidates: 2,
    edges: 2,
    faultMs,
    sockets,
    rate,
    openMax: rate * openMaxSeconds,
  })
  const broken = [...Object.values(report.violations).flat(), ...tooSlow(fault, report)]
  for (const line of broken) plan.log(line)
  const { tried, gaps, missing, doubled, lostSockets } = report
  return {
    id: `cluster ${fault} ${feed}`,
    what: `${fault} with ${feed} prices: 0 lost, doubled or settled otherwise, 0 gaps, 0 ticks missing or doubled at ${sockets} sockets`,
    tried: tried[fault] ?? 0,
    broken: broken.length + gaps + missing + doubled + lostSockets,
    note: noteOf(report),
  }
}

const tooSlow = (fault: Fault, report: FaultReport): string[] =>
  (limits[fault] ?? []).flatMap(({ what, valuesOf, share, ms }) => {
    const found = percentile(valuesOf(report), share)
    return found > ms ? [`${what}: ${Math.round(found)} ms instead of ${ms}`] : []
  })

function noteOf(report: FaultReport): string {
  const { nextFlushMs, exitMs, backMs, logoutMs, answerMs } = report
  const times: [string, readonly number[]][] = [
    ['next flush', nextFlushMs],
    ['exit of the replaced leader', exitMs],
    ['sockets back', backMs],
    ['socket ended after a log-out at the other edge', logoutMs],
    [`${answerMs.length} orders answered`, answerMs],
  ]
  const { acknowledged, repeated, settled, ticks, liveTicks, missing, doubled, lostSockets } = report
  const { gaps, lateGaps } = report
  return [
    ...times.filter(([, values]) => values.length > 0).map(([what, values]) => `${what} ${spread(values)}`),
    `${acknowledged} acknowledged, ${repeated} repeated, ${settled} compared with the oracle`,
    `${ticks} ticks at sockets, ${missing} missing, ${doubled} doubled, ${lostSockets} sockets lost`,
    `${gaps} gaps`,
    ...(liveTicks > 0
      ? [`${liveTicks} ticks compared with the exchange, ${lateGaps} gaps of late take-overs`]
      : []),
  ].join('; ')
}
