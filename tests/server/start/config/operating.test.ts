import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingNames } from '../../../../server/start/config.ts'
import { commands } from '../../../../server/office/cli/commands.ts'
import { deskVariables } from '../../../../server/office/cli/session.ts'
import { fundConfig } from '../../../../server/money/fund/fundConfig.ts'
import { projectRoot } from '../../../../server/platform/paths.ts'
import { operatorConfig, practiceConfig } from '../../../../server/start/operatorConfig.ts'
import { deskKey } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

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

describe('docs/operating.md', async () => {
  const venue = await withVenue({ ticking: true })

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
      headers: { authorization: `Bearer ${deskKey}` },
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

/** `noun verb` of every line of the table in code font: nouns, verbs and a remark, two spaces or more apart. */
function documentedCommands(page: string): string[] {
  const [, desk = ''] = page.split('\n## The desk\n')
  const [, table = ''] = /^```\n([^]*?)^```$/m.exec(desk) ?? []
  let nouns: string[] = []
  return table.split('\n').flatMap((line) => {
    const [left = '', verbs = ''] = line.split(/ {2,}/)
    if (left !== '') nouns = left.split(' ')
    return verbs.split(' ').flatMap((verb) => (verb === '' ? [] : nouns.map((noun) => `${noun} ${verb}`)))
  })
}

describe('docs/customer-service.md', () => {
  it('lists every command of the desk and no others', () => {
    const page = readFileSync(join(projectRoot, 'docs/customer-service.md'), 'utf8')
    // `log` works on the database: its verbs are no calls of a venue.
    const others = ['log check', 'log cut', 'log rename']
    const known = Object.entries(commands).flatMap(([noun, verbs]) =>
      Object.keys(verbs).map((verb) => `${noun} ${verb}`),
    )
    expect(documentedCommands(page).toSorted()).toEqual([...known, ...others].toSorted())
  })
})
