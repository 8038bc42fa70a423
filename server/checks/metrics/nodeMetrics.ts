import { Counter, Gauge, type Registry } from 'prom-client'
import type { RefundReason } from '../../../contract/settle.ts'
import { appVersion } from '../../../contract/constants.ts'
import type { NodeHealth } from './nodeHealth.ts'
import type { Cluster } from '../../platform/ports.ts'
import type { OrderProcessor } from '../../trading/index.ts'
import { inSeconds, optionalGauge, readCounter } from './readMetrics.ts'
import type { ChecksSettings } from '../settings.ts'

export type NodeMetricsParts = {
  settings: Pick<ChecksSettings, 'role'>
  cluster: Pick<Cluster, 'isLeading' | 'bus'> | null
  health: NodeHealth
  clockCheck?: { offsetMs(): number } | null
  engine: { market: { failedFlushes(): number }; processor: Pick<OrderProcessor, 'onSettled'> }
}

const refundReasons: readonly RefundReason[] = [
  'FEED_DOWN',
  'NO_ENTRY',
  'ONE_TICK',
  'STALE_EXIT',
  'SOURCE_CHANGED',
]

/** What this node does, and how far it follows: read from its memory, and one small query twice a second at most. */
export function nodeMetrics(register: Registry, parts: NodeMetricsParts): void {
  const { settings, cluster, engine } = parts
  const registers = [register]
  new Gauge({
    name: 'uptick_node_info',
    help: 'The role and the version of this node; always 1',
    labelNames: ['role', 'version'],
    registers,
  }).set({ role: settings.role, version: appVersion }, 1)
  optionalGauge(
    register,
    'uptick_leading',
    'Whether this node leads: reads the feeds, writes the log and settles orders',
    async () => Number(cluster === null || cluster.isLeading()),
  )
  databaseMetrics(register, parts)
  optionalGauge(
    register,
    'uptick_clock_offset_seconds',
    'How far the clock of this machine is ahead of PostgreSQL’s; absent with the embedded database',
    async () => inSeconds(parts.clockCheck?.offsetMs()),
  )
  busMetrics(register, cluster)
  readCounter(
    register,
    'uptick_flush_failures_total',
    'Flushes of this node that failed since its start; each is tried again',
    () => engine.market.failedFlushes(),
  )
  const refunds = new Counter({
    name: 'uptick_refunds_total',
    help: 'Orders that this node refunded since its start',
    labelNames: ['reason'],
    registers,
  })
  for (const reason of refundReasons) refunds.inc({ reason }, 0)
  engine.processor.onSettled((rows) => {
    for (const { reason } of rows) if (reason !== null) refunds.inc({ reason })
  })
}

/** Term and lag are absent while the database does not answer, because they cannot be read. */
function databaseMetrics(register: Registry, { health }: Pick<NodeMetricsParts, 'health'>): void {
  const database = async () => (await health.read()).database
  optionalGauge(
    register,
    'uptick_database_up',
    'Whether the database answers this node within a second',
    async () => Number((await database()) !== null),
  )
  optionalGauge(
    register,
    'uptick_term',
    'The term of the venue’s leader',
    async () => (await database())?.term,
  )
  optionalGauge(
    register,
    'uptick_follower_lag_seconds',
    'How far the prices of this node are behind the newest committed flush',
    async () => inSeconds((await database())?.lagMs),
  )
  optionalGauge(
    register,
    'uptick_time_offset_seconds',
    'How far the venue’s time is ahead of the database’s clock',
    async () => inSeconds((await database())?.timeOffsetMs),
  )
}

/** A node without others has no bus: these metrics have no value then. */
function busMetrics(register: Registry, cluster: NodeMetricsParts['cluster']): void {
  optionalGauge(
    register,
    'uptick_bus_connected',
    'Whether this node is connected to the bus; absent without one',
    async () => cluster && Number(cluster.bus().isConnected),
  )
  readCounter(
    register,
    'uptick_bus_missed_flushes_total',
    'Flushes read from the database because the bus had not brought them, since the start',
    () => cluster?.bus().missedFlushes ?? 0,
  )
  readCounter(
    register,
    'uptick_clock_steps_refused_total',
    'How often the leader’s time was more than a second ahead of this node’s, so that the database was asked',
    () => cluster?.bus().refusedSteps ?? 0,
  )
  const dropped = new Counter({
    name: 'uptick_bus_dropped_total',
    help: 'Messages on the bus that had no effect, since the start: not sealed by this venue, repeated, or late',
    labelNames: ['reason'],
    registers: [],
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(cluster?.bus().dropped ?? {})) this.inc({ reason }, count)
    },
  })
  register.registerMetric(dropped)
}
