import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Clock } from '../ports.ts'
import type { AuditRecord } from '../selfAudit/record.ts'
import type { SelfAudit } from '../selfAudit/selfAudit.ts'

export type AuditMetricsParts = { clock: Clock; selfAudit: Pick<SelfAudit, 'record' | 'differingGaps'> }

const checks = ['results', 'log', 'books', 'actions'] as const

/** @param ofLeader the value at the node that leads; null at others, and if it takes too long */
export function auditMetrics(
  register: Registry,
  { clock, selfAudit }: AuditMetricsParts,
  ofLeader: <T>(read: () => Promise<T>) => Promise<T | null>,
): void {
  const perCheck = (
    name: string,
    help: string,
    valueOf: (record: AuditRecord, check: keyof AuditRecord) => number | null,
    ofThisNode: () => number | null = () => null,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['check'],
      registers: [register],
      async collect() {
        const record = await ofLeader(selfAudit.record)
        this.reset()
        for (const check of checks) {
          const value = record && valueOf(record, check)
          if (value !== null) this.set({ check }, value)
        }
        const gaps = ofThisNode()
        if (gaps !== null) this.set({ check: 'gaps' }, gaps)
      },
    })
  perCheck(
    'uptick_self_audit_differences',
    'Differences that the venue found when it checked itself; always 0',
    (record, check) => (check === 'log' ? record.log?.damaged : record[check]?.differing) ?? 0,
    selfAudit.differingGaps,
  )
  perCheck('uptick_self_audit_age_seconds', 'How long ago each check was done', (record, check) => {
    const at = record[check]?.at
    return at === undefined ? null : Math.max(0, clock.now() - at) / 1000
  })
}
