import { setTimeout as wait } from 'node:timers/promises'
import type { Cluster, ClusterNode } from './cluster.ts'
import type { FaultReport, FaultRun, LeaderFault } from './faultRun.ts'

const pollMs = 5
const takeOverMaxMs = 120_000

export async function applyToLeader(
  fault: LeaderFault,
  { cluster, report, faultMs, postgres, pair, downMs }: Omit<FaultRun, 'watchers'>,
): Promise<void> {
  const leader = await cluster.leader()
  const { term } = await cluster.newest()
  const startedAt = performance.now()
  const takeOver = async (): Promise<void> => {
    await untilTerm(cluster, term + 1, fault)
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
    case 'sessions':
      return expectOnlyExit(leader, cluster, report, async () => {
        await cluster.scratch.database.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name NOT LIKE 'uptick tests%'`,
        )
        await takeOver()
      })
    case 'postgres':
      return expectOnlyExit(leader, cluster, report, async () => {
        if (postgres === null) throw new Error('a server of their own is needed')
        await postgres.restart((report.tried.postgres ?? 0) % 2 === 1 ? 'fast' : 'immediate', downMs)
        await takeOver()
      })
    case 'failover':
      return expectOnlyExit(leader, cluster, report, async () => {
        if (pair === null) throw new Error('a pair of servers of their own is needed')
        await pair.failOver()
        await takeOver()
      })
  }
}

/** Without its lease the leader ends; every other node connects again. */
async function expectOnlyExit(
  leader: ClusterNode,
  cluster: Cluster,
  { violations }: FaultReport,
  endSessions: () => Promise<void>,
): Promise<void> {
  const others = [...cluster.candidates(), ...cluster.edges()].filter((node) => node !== leader)
  await Promise.all([endSessions(), leader.exited])
  for (const node of others)
    if (node.hasExited()) violations.lost.push(`a node that did not lead exited: ${node.output()}`)
}

async function untilTerm(cluster: Cluster, term: number, fault: LeaderFault): Promise<void> {
  const giveUpAt = performance.now() + takeOverMaxMs
  // A session of this test may have ended too.
  const newest = () => cluster.newest().catch(() => ({ term: 0 }))
  while ((await newest()).term < term) {
    if (performance.now() > giveUpAt)
      throw new Error(`no flush within ${takeOverMaxMs} ms after ${fault}: ${cluster.outputs().join()}`)
    await wait(pollMs)
  }
}

/** A leader that finds another one in its place ends, with one line that says so. */
async function waitForExit(leader: ClusterNode, { exitMs, violations }: FaultReport): Promise<void> {
  const resumedAt = performance.now()
  const code = await leader.exited
  exitMs.push(performance.now() - resumedAt)
  if (code !== 1) violations.doubled.push(`a replaced leader ended with ${code}: ${leader.output()}`)
}
