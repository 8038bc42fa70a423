import { expect, test } from 'vitest'
import { searchCanaries } from '../../support/safety/canaries.ts'

test('what is personal stands plain in no log, no file of the data folder and no answer to others', async () => {
  const { found, searched } = await searchCanaries()
  expect(found).toEqual([])
  expect(searched).toBeGreaterThan(50)
}, 300_000)
