import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/memory.ts'
import { runMoneyModel } from '../../support/moneyModelRun.ts'

const seed = randomInt(2 ** 31)
const seeds = [seed, seed + 1, seed + 2]

it.each([
  ['comes at once', false],
  ['is reviewed', true],
])(
  `every room that moves money against a model, where a deposit %s: the same figures after every call`,
  async (_, reviewed) => {
    const database = await openMemoryDatabase()
    expect(await runMoneyModel(database, seeds, 80, reviewed)).toEqual([])
    await database.close()
  },
  300_000,
)
