import { Counter, type Registry } from 'prom-client'
import type { Clock } from '../../platform/ports.ts'
import type { PublicLog } from '../../market/index.ts'
import { optionalGauge } from './readMetrics.ts'

export type LogMetricsParts = {
  clock: Clock
  publicLog: Pick<PublicLog, 'figures' | 'witnessCounts'>
}

/** @param ofLeader the value at the node that leads; null at others, and if it takes too long */
export function logMetrics(
  register: Registry,
  { clock, publicLog }: LogMetricsParts,
  ofLeader: <T>(read: () => Promise<T>) => Promise<T | null>,
): void {
  const figures = () => ofLeader(() => publicLog.figures())
  const ageOf = (at: number | undefined): number | undefined =>
    at === undefined ? undefined : Math.max(0, clock.now() - at) / 1000
  optionalGauge(
    register,
    'uptick_log_leaves',
    'Leaves of the public log',
    async () => (await figures())?.size,
  )
  optionalGauge(
    register,
    'uptick_log_leaf_age_seconds',
    'How old the newest leaf of the public log is',
    async () => ageOf((await figures())?.leafAt),
  )
  optionalGauge(
    register,
    'uptick_log_checkpoint_age_seconds',
    'How old the newest leaf in the checkpoint is that is served',
    async () => ageOf((await figures())?.checkpointAt),
  )
  optionalGauge(
    register,
    'uptick_log_cosignatures',
    'How many witnesses have cosigned the checkpoint that is served',
    async () => (await figures())?.cosignatures,
  )
  const perWitness = (name: string, help: string, of: 'failures' | 'conflicts'): void => {
    const counter = new Counter({
      name,
      help,
      labelNames: ['witness'],
      registers: [],
      collect() {
        this.reset()
        for (const counts of publicLog.witnessCounts()) this.inc({ witness: counts.name }, counts[of])
      },
    })
    register.registerMetric(counter)
  }
  perWitness(
    'uptick_log_witness_failures_total',
    'Requests of this node to a witness of the public log that got no cosignature, since its start',
    'failures',
  )
  perWitness(
    'uptick_log_witness_conflicts_total',
    'Of these, how often the witness had cosigned what this log does not continue',
    'conflicts',
  )
}
