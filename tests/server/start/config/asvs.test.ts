import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../../../server/platform/paths.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const document = read('docs/asvs.md')
/** The ids of levels 1 and 2 of version 5.0.0, a section a line. */
const required = read('tests/fixtures/asvsRequirements.txt').split(/\s+/).filter(Boolean)

type Row = { id: string; about: string; how: string; file: string; test: string }
/** The items of the lists, each as one line. */
const items = document
  .replaceAll(/\n {2}(?=\S)/g, ' ')
  .split('\n')
  .filter((line) => line.startsWith('- '))
const requirements = items.filter((line) => line.startsWith('- **V'))
const rows = requirements.flatMap((line): Row[] => {
  const match = /^- \*\*(V[\d.]+)\*\* (.+?): (.+) \((.+); (.+?)\)$/.exec(line)
  if (!match) return []
  const [, id = '', about = '', how = '', file = '', test = ''] = match
  return [{ id, about, how, file, test }]
})

const sectionOf = (heading: string): string =>
  new RegExp(`## ${heading}\n([\\s\\S]*?)\n## `).exec(document)?.[1] ?? ''
const pathsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
const isUnmet = ({ how }: Row): boolean => /\bnot met\b/i.test(how)
const idsIn = (text: string): string[] => [...text.matchAll(/\bV\d+\.\d+\.\d+\b/g)].map(([id]) => id)
const inapplicable = idsIn(sectionOf('What does not apply'))

// That every path exists, documentPaths.test.ts tests for all documents.
describe('docs/asvs.md', () => {
  it('has each requirement once, those that apply in order', () => {
    expect(required.length).toBe(253)
    const without = new Set(inapplicable)
    expect(rows.map(({ id }) => id)).toEqual(required.filter((id) => !without.has(id)))
    expect([...rows.map(({ id }) => id), ...inapplicable].toSorted()).toEqual(required.toSorted())
  })

  it('has an id, what it is about, how it is met, files and tests in each item', () => {
    expect(rows.length).toBe(requirements.length)
    expect(rows.filter((row) => Object.values(row).some((part) => !/\w/.test(part)))).toEqual([])
  })

  it('names a file and a test in each item, or says why there is no test', () => {
    const without = rows.filter(({ file, test }) => {
      const hasTest = /^none: \w/.test(test) || pathsIn(test).every((path) => path.startsWith('tests/'))
      return pathsIn(file).length === 0 || !hasTest || test === 'none'
    })
    expect(without).toEqual([])
  })

  it('says why the others do not apply', () => {
    const groups = sectionOf('What does not apply')
      .replaceAll(/\n {2}/g, ' ')
      .split('\n')
      .filter((line) => line.startsWith('- '))
    expect(groups.flatMap(idsIn)).toEqual(inapplicable)
    expect(groups.filter((line) => !/^- .*\w{2,} \w{2,}.*: V/.test(line))).toEqual([])
  })

  it('lists at its top what is not met, and counts truly', () => {
    const list = sectionOf('What is not met')
    const unmet = rows.filter(isUnmet).map(({ id }) => id)
    expect(idsIn(list).toSorted()).toEqual(unmet.toSorted())
    const [, all, done, open, without] =
      /Of the (\d+) requirements .*?, (\d+) are met, (\d+) are not .*? and (\d+) do/s.exec(document) ?? []
    expect([all, done, open, without].map(Number)).toEqual([
      required.length,
      rows.length - unmet.length,
      unmet.length,
      inapplicable.length,
    ])
  })
})
