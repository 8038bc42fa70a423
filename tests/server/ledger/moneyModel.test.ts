import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/memory.ts'
import { runMoneyModel } from '../../support/moneyModelRun.ts'
import { testSeed } from '../../support/testSeed.ts'

it.each([
  ['comes at once', false],
  ['is reviewed', true],
])(
  'every module that moves money matches a model after each request if a deposit %s',
  async (_, reviewed) => {
    const database = await openMemoryDatabase()
    const seed = testSeed()
    const { tried, violations } = await runMoneyModel(database, [seed, seed + 1, seed + 2], 80, reviewed)
    expect(violations).toEqual([])
    expect(tried).toBe(3 * 82)
    await database.close()
  },
  300_000,
)
