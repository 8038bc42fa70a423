import type { OwnPostgres } from '../../support/ownPostgres.ts'
import type { PostgresPair } from '../../support/postgresPair.ts'
import type { Violations } from '../kill/moneyCheck.ts'
import type { Cluster } from './cluster.ts'
import type { Watchers } from './watchers.ts'

export type Fault = LeaderFault | EdgeFault

/**
 * What is done to edges. `edge`: one is killed; another one is started later. `logout`: a member logs out at one edge, with
 * a socket at the other. `rolling`: every node is stopped and started again, one after the other, in the order of an upgrade.
 */
export type EdgeFault = 'edge' | 'logout' | 'rolling'

/** What is done to the leader, and to PostgreSQL. */
export const leaderFaults = {
  kill: 'SIGKILL',
  freeze: 'SIGSTOP for a while',
  cut: 'its connections to PostgreSQL break, and new ones are refused',
  stall: 'its connections to PostgreSQL stay open, but nothing passes',
  bus: 'it is cut from NATS',
  sessions: 'PostgreSQL ends every session of every node',
  postgres: 'PostgreSQL restarts: it shuts down, or it crashes and recovers, in turn',
  failover: 'PostgreSQL is lost, and its synchronous replica is promoted',
  stop: 'SIGTERM, as an upgrade does',
}

export type LeaderFault = keyof typeof leaderFaults
export type FaultReport = {
  /** How often each fault was tried. */
  tried: Partial<Record<Fault, number>>
  acknowledged: number
  /** How long each order took until its answer, with its repetitions, ms. */
  answerMs: number[]
  /** Requests that had to be repeated: the venue answered 503, or the edge was killed. */
  repeated: number
  /** From each fault to the next flush of another leader, ms. */
  nextFlushMs: number[]
  /** From its resumption to the exit of a leader that was frozen or cut, ms. */
  exitMs: number[]
  /** From the kill of an edge until each of its sockets was subscribed at another one, ms. */
  backMs: number[]
  /** From a logout until the socket at the other edge ended, ms. */
  logoutMs: number[]
  /** Connections of watching sockets that ended at an edge that was not killed or stopped. */
  lostSockets: number
  /** Ticks that the sockets received. */
  ticks: number
  /** Ticks that a socket neither received nor could read after it was back, and those it received twice. */
  missing: number
  doubled: number
  /** Orders whose result was compared with an oracle. */
  settled: number
  /** Ticks of live products that were compared with their exchange. */
  liveTicks: number
  gaps: number
  /** Gaps that are right: the take-over was too late for live prices, or the exchange itself was silent. */
  lateGaps: number
  violations: Violations
}

/** What a fault works on. */
export type FaultRun = {
  cluster: Cluster
  watchers: Watchers
  report: FaultReport
  faultMs: number
  /** The server that nodes use; null if it is that of all tests. */
  postgres: OwnPostgres | null
  /** Used by nodes instead of one server, if one is to be lost; null otherwise. */
  pair: PostgresPair | null
  /** How long it stays down when it restarts. */
  downMs?: number
}
