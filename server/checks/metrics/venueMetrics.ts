import { Gauge, type Registry } from 'prom-client'
import { valueWithin } from '../../platform/freshValue.ts'
import type { Clock, Cluster } from '../../platform/ports.ts'
import { checkMetrics, type CheckMetricsParts } from './checkMetrics.ts'
import { logMetrics, type LogMetricsParts } from './logMetrics.ts'
import { inSeconds, optionalGauge } from './readMetrics.ts'
import { requestKinds, type VenueFigures } from './venueFigures.ts'
import type { NoticesConfig } from '../../notices/settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type VenueMetricsParts = LogMetricsParts &
  CheckMetricsParts & {
    clock: Clock
    cluster: Pick<Cluster, 'isLeading'> | null
    figures: VenueFigures
    settings: OperatorSettings<NoticesConfig, 'recordsPerHour'>
  }

/** A figure that takes longer is left out of this answer; a later one has it. */
const figureMaxMs = 2000

/** Figures of the whole venue, served by the node that leads: each once, however many nodes there are. */
export function venueMetrics(register: Registry, parts: VenueMetricsParts): void {
  const { clock, cluster, figures } = parts
  const ofLeader = async <T>(read: () => Promise<T>): Promise<T | null> =>
    cluster === null || cluster.isLeading() ? valueWithin(clock, figureMaxMs, read()) : null
  const ageOf = (oldestAt: number | null): number =>
    oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) / 1000
  requestMetrics(register, () => ofLeader(figures.waiting), ageOf)
  logMetrics(register, parts, ofLeader)
  checkMetrics(register, parts, ofLeader)
  optionalGauge(
    register,
    'uptick_staff_records_opened',
    'The most members’ records that one of the staff opened in the last hour without a claim',
    () => ofLeader(figures.looks),
  )
  optionalGauge(
    register,
    'uptick_staff_records_limit',
    'How many of them one person may open in an hour',
    async () => parts.settings.operatorConfig.recordsPerHour,
  )
  const orders = async () => (await ofLeader(figures.waiting))?.orders
  optionalGauge(
    register,
    'uptick_orders_past_close',
    'Unsettled orders whose close has passed',
    async () => (await orders())?.count,
  )
  optionalGauge(
    register,
    'uptick_orders_past_close_oldest_age_seconds',
    'How long the oldest of the unsettled orders has been past its close; 0 if there are none',
    async () => {
      const past = await orders()
      return past && ageOf(past.oldestAt)
    },
  )
  optionalGauge(register, 'uptick_ledger_sum', 'The sum of all postings in minor units: always 0', () =>
    ofLeader(figures.ledgerSum),
  )
  optionalGauge(
    register,
    'uptick_database_size_bytes',
    'The size of the database on its disk',
    async () => (await ofLeader(figures.storage))?.databaseBytes,
  )
  optionalGauge(
    register,
    'uptick_backup_age_seconds',
    'How long ago the newest complete backup was made; +Inf if there was none',
    async () => {
      const storage = await ofLeader(figures.storage)
      if (storage === null) return null
      const { lastBackupAt } = storage
      return lastBackupAt === null ? Infinity : inSeconds(clock.now() - lastBackupAt)
    },
  )
}

type Waiting = Awaited<ReturnType<VenueFigures['waiting']>>

function requestMetrics(
  register: Registry,
  read: () => Promise<Waiting | null>,
  ageOf: (oldestAt: number | null) => number,
): void {
  const perKind = (
    name: string,
    help: string,
    valueOf: (of: { count: number; oldestAt: number | null }) => number,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [register],
      async collect() {
        const waiting = await read()
        this.reset()
        for (const kind of requestKinds) {
          const ofKind = waiting?.requests.get(kind)
          if (ofKind) this.set({ kind }, valueOf(ofKind))
        }
      },
    })
  perKind('uptick_requests_waiting', 'Requests of members that wait for the desk', ({ count }) => count)
  perKind(
    'uptick_requests_oldest_age_seconds',
    'How long the oldest of them has waited; 0 if there are none',
    ({ oldestAt }) => ageOf(oldestAt),
  )
}
