import { expect, it } from 'vitest'
import { searchCanaries } from '../../support/safety/canaries.ts'

it('what is personal stands plain in no log, no file of the data folder and no answer to others', async () => {
  const { found, searched } = await searchCanaries()
  expect(found).toEqual([])
  expect(searched).toBeGreaterThan(50)
}, 300_000)
