import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../platform/ports.ts'
import type { NightlyFindings } from '../nightly/findings.ts'
import type { NightlyChecks } from '../nightly/nightlyChecks.ts'

export type CheckMetricsParts = {
  clock: Clock
  nightlyChecks: Pick<NightlyChecks, 'found' | 'differingGaps'>
}

const checks = ['results', 'log', 'books', 'actions'] as const

/** @param ofLeader the value at the node that leads; null at others, and if it takes too long */
export function checkMetrics(
  register: Registry,
  { clock, nightlyChecks }: CheckMetricsParts,
  ofLeader: <T>(read: () => Promise<T>) => Promise<T | null>,
): void {
  const perCheck = (
    name: string,
    help: string,
    valueOf: (found: NightlyFindings, check: keyof NightlyFindings) => number | null,
    ofThisNode: () => number | null = () => null,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['check'],
      registers: [register],
      async collect() {
        const found = await ofLeader(nightlyChecks.found)
        this.reset()
        for (const check of checks) {
          const value = found && valueOf(found, check)
          if (value !== null) this.set({ check }, value)
        }
        const gaps = ofThisNode()
        if (gaps !== null) this.set({ check: 'gaps' }, gaps)
      },
    })
  perCheck(
    'uptick_nightly_check_differences',
    'Differences that the venue found when it checked itself; always 0',
    (found, check) => (check === 'log' ? found.log?.damaged : found[check]?.differing) ?? 0,
    nightlyChecks.differingGaps,
  )
  perCheck('uptick_nightly_check_age_seconds', 'How long ago each check was done', (found, check) => {
    const at = found[check]?.at
    return at === undefined ? null : Math.max(0, clock.now() - at) / 1000
  })
}
