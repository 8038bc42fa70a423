import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../../../server/platform/paths.ts'
import { deskKey } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const alerts = read('deploy/alerts.yml')
const dashboard = read('deploy/grafana-dashboard.json')
const operating = read('docs/operating.md')

/** The metrics that a PromQL expression or a whole file names. */
const metricsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b(?:uptick|process|nodejs)_\w+/g)].map(([name]) => name)),
]

describe('deploy/', async () => {
  let served: Set<string>
  const venue = await withVenue({ ticking: true })
  beforeAll(async () => {
    const { body } = await venue.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${deskKey}` },
    })
    served = new Set(
      [...body.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    )
  })

  it.each([
    ['alerts.yml', alerts],
    ['grafana-dashboard.json', dashboard],
  ])('%s names only metrics that a venue serves', (_file, text) => {
    const named = metricsIn(text)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !served.has(name))).toEqual([])
  })

  it('compose.yaml has no password: it is one of the keys that the operator makes', () => {
    const compose = read('deploy/compose.yaml')
    const passwords = [...compose.matchAll(/PASSWORD: '([^']+)'|postgres:\/\/\w+:([^@]*)@/g)]
    expect(passwords.map(([, variable, inUrl]) => variable ?? inUrl)).toEqual([
      '${POSTGRES_PASSWORD}',
      '${POSTGRES_PASSWORD:?is in live/postgres.env}',
    ])
  })

  it('grafana-dashboard.json has a query in every panel', () => {
    type Panel = { type: string; title: string; targets?: { expr: string }[] }
    const { panels } = JSON.parse(dashboard) as { panels: Panel[] }
    const empty = panels.filter(
      ({ type, targets = [] }) => type !== 'row' && targets.every(({ expr }) => metricsIn(expr).length === 0),
    )
    expect(empty.map(({ title }) => title)).toEqual([])
  })

  it('alerts.yml has the alerts for which docs/operating.md says what to do, in the same order', () => {
    const rules = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    const summaries = [...alerts.matchAll(/summary: (['"]).+\.\1 \}/g)]
    expect(summaries.length).toBe(rules.length)
    const [, section = ''] = operating.split('\n## Alerts\n')
    const rows = [...(section.split('\n#')[0] ?? '').matchAll(/^\| `(Uptick\w+)` *\| .+\|$/gm)]
    expect(rows.map(([, name]) => name)).toEqual(rules)
  })

  it('alertmanager.yml names only alerts of alerts.yml', () => {
    const named = [...read('deploy/alertmanager.yml').matchAll(/\bUptick\w+/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !alerts.includes(`alert: ${name}\n`))).toEqual([])
  })
})
