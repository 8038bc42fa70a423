import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingNames } from '../../../server/config.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { fundConfig } from '../../../server/fund/fundConfig.ts'
import { projectRoot } from '../../../server/paths.ts'
import { siteConfig } from '../../../server/siteConfig.ts'
import { deskKey, openDeskHouse } from '../../support/deskHouse.ts'
import type { DeskHouse } from '../../support/deskHouse.ts'

const text = readFileSync(join(projectRoot, 'docs/operating.md'), 'utf8')
/** What a part of the document sets in code font. */
const codesOf = (part: string): string[] => [...part.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '')
const section = (title: string): string => {
  const [, after] = text.split(`\n## ${title}\n`)
  if (after === undefined) throw new Error(`docs/operating.md has no section ${title}`)
  return after.split('\n## ')[0] ?? ''
}
/** The names in the first column of a section's tables. */
const firstColumn = (title: string): string[] =>
  section(title)
    .split('\n')
    .flatMap((line) => codesOf(/^\|([^|]*)\|/.exec(line)?.[1] ?? ''))

describe('docs/operating.md', () => {
  let database: Database
  let house: DeskHouse
  beforeAll(async () => {
    database = await openMemoryDatabase()
    house = await openDeskHouse(database)
  })
  afterAll(async () => {
    await house.close()
    await database.close()
  })

  it('has every setting, and none that is not read', () => {
    const codes = new Set(codesOf(section('Settings')))
    expect(settingNames.filter((name) => !codes.has(name))).toEqual([])
    expect(firstColumn('Settings').filter((name) => !settingNames.includes(name))).toEqual([])
  })

  it('has every field of CONFIG_FILE, and none that is not read', () => {
    const fund = Object.keys(fundConfig.shape)
    const fields = Object.keys(siteConfig.shape).filter((name) => name !== 'fund')
    // A row may name two fields of the fund, the second one without the word.
    const named = firstColumn('CONFIG_FILE').map((name) => name.replace(/^\./, 'fund.'))
    expect(named.toSorted()).toEqual([...fields, ...fund.map((name) => `fund.${name}`)].toSorted())
  })

  it('has every metric, and none that is not exported', async () => {
    const answer = await house.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${deskKey}` },
    })
    const exported = [...answer.body.matchAll(/^# HELP (uptick_\w+)/gm)].map(([, name]) => name ?? '')
    expect(exported).not.toEqual([])
    const listed = firstColumn('What it tells').filter((code) => code.startsWith('uptick_'))
    expect(listed.toSorted()).toEqual(exported.toSorted())
  })
})
