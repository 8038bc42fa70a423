import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingNames } from '../../../server/config.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { deskVariables } from '../../../server/backOffice/cli/session.ts'
import { fundConfig } from '../../../server/fund/fundConfig.ts'
import { projectRoot } from '../../../server/paths.ts'
import { practiceConfig } from '../../../server/practiceConfig.ts'
import { operatorConfig } from '../../../server/operatorConfig.ts'
import { openTickingVenue } from '../../support/tickingVenue.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'
import { backOfficeKey } from '../../support/testVenue.ts'

const text = readFileSync(join(projectRoot, 'docs/operating.md'), 'utf8')
/** The code spans in a part of the document. */
const codesOf = (part: string): string[] => [...part.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '')
const section = (title: string): string => {
  const [, rest] = text.split(`\n## ${title}\n`)
  if (rest === undefined) throw new Error(`docs/operating.md has no section ${title}`)
  return rest.split('\n## ')[0] ?? ''
}
/** The names in the first column of a section's tables. */
const firstColumn = (title: string): string[] =>
  section(title)
    .split('\n')
    .flatMap((line) => codesOf(/^\|([^|]*)\|/.exec(line)?.[1] ?? ''))

describe('docs/operating.md', () => {
  let database: Database
  let venue: TickingVenue
  beforeAll(async () => {
    database = await openMemoryDatabase()
    venue = await openTickingVenue(database)
  })
  afterAll(async () => {
    await venue.close()
    await database.close()
  })

  it('documents every setting and no others, and there are 25 at most', () => {
    const names = [...settingNames, ...deskVariables]
    expect(firstColumn('Settings').toSorted()).toEqual(names.toSorted())
    expect(names.length).toBeLessThanOrEqual(25)
  })

  it('documents every field of CONFIG_FILE and no others', () => {
    const fund = Object.keys(fundConfig.shape)
    const practice = Object.keys(practiceConfig.shape)
    const fields = Object.keys(operatorConfig.shape).filter((name) => !/^(fund|practice)$/.test(name))
    const inner = [...fund.map((name) => `fund.${name}`), ...practice.map((name) => `practice.${name}`)]
    // A row may name two fields of the fund, the second one without its prefix.
    const documented = firstColumn('CONFIG_FILE').map((name) => name.replace(/^\./, 'fund.'))
    expect(documented.toSorted()).toEqual([...fields, ...inner].toSorted())
  })

  it('documents every metric and no others', async () => {
    const answer = await venue.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${backOfficeKey}` },
    })
    const exported = [...answer.body.matchAll(/^# HELP (uptick_\w+)/gm)].map(([, name]) => name ?? '')
    expect(exported).not.toEqual([])
    const documented = firstColumn('Log and metrics').filter((code) => code.startsWith('uptick_'))
    expect(documented.toSorted()).toEqual(exported.toSorted())
  })

  it('quotes log lines as the venue writes them', () => {
    const serverDir = join(projectRoot, 'server')
    const source = readdirSync(serverDir, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(serverDir, file), 'utf8'))
      .join('\n')
    const lines = firstColumn('Log and metrics').filter((code) => !code.startsWith('uptick_'))
    expect(lines.length).toBeGreaterThan(5)
    // The … is the place of a value, as is a code in parentheses.
    const isWritten = (line: string) =>
      line
        .replace(/ \([A-Z0-9…]+\)/, '…')
        .replace(/: …$/, '')
        .split('…')
        .every((part) => source.includes(part))
    expect(lines.filter((line) => !isWritten(line))).toEqual([])
  })
})
