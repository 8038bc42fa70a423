import { expect, it } from 'vitest'
import { withDatabase } from '../../../support/withVenue.ts'
import { runMoneyModel } from '../../../scenarios/moneyModelRun.ts'
import { testSeed } from '../../../support/testSeed.ts'

// Short runs; the campaign (S1) has the long ones.
it.each([
  ['in practice mode', false],
  ['in live mode, where the back office reviews deposits', true],
])('agrees with a model after every request that moves money, %s', async (_name, live) => {
  const database = await withDatabase()
  const seed = testSeed()
  const { tried, violations } = await runMoneyModel(database, [seed, seed + 1], 60, live)
  expect(violations).toEqual([])
  expect(tried).toBe(2 * 62)
})
