import { join } from 'node:path'
import { expect, it } from 'vitest'
import { searchCanaries } from '../../scenarios/safety/canaries.ts'
import { serverBundle } from '../../support/serverBundle.ts'

it('personal data is never in plain text in logs, files of the data folder or answers to others', async () => {
  const { found, searched } = await searchCanaries(join(serverBundle(), 'main.js'))
  expect(found).toEqual([])
  expect(searched).toBeGreaterThan(50)
})
