import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { projectRoot } from '../../../server/paths.ts'
import { openTickingVenue } from '../../support/tickingVenue.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'
import { backOfficeKey } from '../../support/testVenue.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const alerts = read('deploy/alerts.yml')
const dashboard = read('deploy/grafana-dashboard.json')
const operating = read('docs/operating.md')

/** The metrics that a PromQL expression or a whole file names. */
const metricsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b(?:uptick|process|nodejs)_\w+/g)].map(([name]) => name)),
]

describe('deploy/', () => {
  let database: Database
  let venue: TickingVenue
  let served: Set<string>
  beforeAll(async () => {
    database = await openMemoryDatabase()
    venue = await openTickingVenue(database)
    const { body } = await venue.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${backOfficeKey}` },
    })
    served = new Set(
      [...body.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    )
  })
  afterAll(async () => {
    await venue.close()
    await database.close()
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

  it('alerts.yml has the alerts that docs/operating.md explains, in the same words', () => {
    const rules = alerts
      .split('- alert: ')
      .slice(1)
      .map((rule) => [/^\w+/.exec(rule)?.[0], /summary: (['"])(.+)\1 \}/.exec(rule)?.[2]])
    const [, section = ''] = operating.split('\n## Alerts\n')
    const rows = [...(section.split('\n#')[0] ?? '').matchAll(/^\| `(Uptick\w+)` *\| (.+?) *\| .+\|$/gm)]
    expect(rows.map(([, name, meaning]) => [name, `${meaning}.`])).toEqual(rules)
  })
})
