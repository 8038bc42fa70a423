import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/specification-coverage.md'), 'utf8')
/** The rows of the table, without its header and the line under it. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))

it('every sentence has a section, a place and a test', () => {
  expect(rows.length).toBeGreaterThan(100)
  const incomplete = rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell.trim() === ''))
  expect(incomplete).toEqual([])
  const sections = new Set(rows.map(([section = '']) => section.trim()))
  expect([...sections]).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
})

it('every named test exists under its title', () => {
  const missing = rows.flatMap(([, sentence = '', , tests = '']) => {
    const named = [...tests.matchAll(/`([^`]+)`: "([^"]+)"/g)]
    if (named.length === 0) return [[sentence.trim(), 'names no test']]
    return named
      .filter(([, file = '', title = '']) => {
        const path = join(root, file)
        return !existsSync(path) || !readFileSync(path, 'utf8').includes(title)
      })
      .map(([whole]) => [sentence.trim(), whole])
  })
  expect(missing).toEqual([])
})

it('every named route and file exists', () => {
  const sources = readFileSync(join(root, 'contract/pagePaths.ts'), 'utf8')
  const missing = rows.flatMap(([, , places = '']) =>
    [...places.matchAll(/`((?:pages|src|contract)\/[^`*?]+)[^`]*`/g)]
      .map(([, name = '']) => name)
      .filter((name) =>
        name.startsWith('pages/') ? !sources.includes(name) : !existsSync(join(root, name)),
      ),
  )
  expect(missing).toEqual([])
})
