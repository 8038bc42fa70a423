import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../../server/paths.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const document = read('docs/asvs.md')
/** The ids of levels 1 and 2 of version 5.0.0, a section a line. */
const required = read('tests/fixtures/asvsRequirements.txt').split(/\s+/).filter(Boolean)

type Row = { id: string; about: string; how: string; file: string; test: string }
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| V'))
  .map((line): Row => {
    const [, id = '', about = '', how = '', file = '', test = ''] = line.split('|').map((cell) => cell.trim())
    return { id, about, how, file, test }
  })

const pathsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
const applies = ({ how }: Row): boolean => !how.startsWith('does not apply: ')
const isUnmet = ({ how }: Row): boolean => /\bnot met\b/i.test(how)
const idsIn = (text: string): string[] => [...text.matchAll(/\bV\d+\.\d+\.\d+\b/g)].map(([id]) => id)

// That every path exists, documentPaths.test.ts tests for all documents.
describe('docs/asvs.md', () => {
  it('has one row for each requirement, in order', () => {
    expect(required.length).toBe(253)
    expect(rows.map(({ id }) => id)).toEqual(required)
  })

  it('has no blank cell, and five of them in each row', () => {
    const lines = document.split('\n').filter((line) => line.startsWith('| V'))
    expect(lines.filter((line) => line.split('|').length !== 7)).toEqual([])
    expect(rows.filter((row) => Object.values(row).some((cell) => !/\w/.test(cell)))).toEqual([])
  })

  it('names a file and a test in each row that applies, or says why there is no test', () => {
    const without = rows.filter(applies).filter(({ file, test }) => {
      const hasTest = /^none: \w/.test(test) || pathsIn(test).every((path) => path.startsWith('tests/'))
      return pathsIn(file).length === 0 || !hasTest || test === 'none'
    })
    expect(without).toEqual([])
    expect(rows.filter((row) => !applies(row) && row.how.length < 20)).toEqual([])
  })

  it('lists at its top what is not met, and counts truly', () => {
    const [, list = ''] = /## What is not met\n([\s\S]*?)\n## /.exec(document) ?? []
    const unmet = rows.filter(isUnmet).map(({ id }) => id)
    expect(idsIn(list).toSorted()).toEqual(unmet.toSorted())
    const [, all, met, open, without] =
      /Of the (\d+) requirements .*?, (\d+) are met, (\d+) are not .*? and (\d+) do/s.exec(document) ?? []
    const inapplicable = rows.filter((row) => !applies(row)).length
    expect([all, met, open, without].map(Number)).toEqual([
      rows.length,
      rows.length - unmet.length - inapplicable,
      unmet.length,
      inapplicable,
    ])
  })
})
