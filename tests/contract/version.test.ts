import { expect, it } from 'vitest'
import { newerVersion } from '../../contract/version.ts'

it.each([
  [1, 2, 'next'],
  [2, 1, 'known'],
  [2, 2, 'known'],
])('of a known version %d and version %d, keeps the %s one', (known, next, expected) => {
  expect(newerVersion({ version: known, copy: 'known' }, { version: next, copy: 'next' }).copy).toBe(expected)
})
