import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../../../../server/platform/paths.ts'

/** The list of SECURITY.md: a promise, its tests in the short suite, and after "system:" its other tests. */
const rows = readFileSync(join(projectRoot, 'SECURITY.md'), 'utf8')
  .replaceAll(/\n {2}/g, ' ')
  .split('\n')
  .flatMap((line): [string, string, string][] => {
    const match = /^- (S\d.*?): (.+?)(?:; system: (.+))?$/.exec(line)
    if (!match) return []
    const [, promise = '', short = '', others = ''] = match
    return [[promise, short, others]]
  })
const pathsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)

it('SECURITY.md has an item for each promise that the campaign tests', () => {
  expect(rows.map(([promise]) => promise.split(' ')[0])).toEqual(
    Array.from({ length: 16 }, (_, i) => `S${i + 1}`),
  )
})

/** What the short suite includes (vitest.config.ts). */
const isShort = /^tests\/(contract|streams|src|office|server|package)\/.*\.test\.tsx?$/
const isThere = (path: string): boolean => existsSync(join(projectRoot, path))

it.each(rows)('each promise has a test in the short suite: %s', (_promise, short, others) => {
  const paths = pathsIn(short)
  expect(paths).not.toEqual([])
  expect(paths.filter((path) => !isShort.test(path) || !isThere(path))).toEqual([])
  expect(pathsIn(others).filter((path) => !isThere(path))).toEqual([])
})
