import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { driveBitFlips, driveRewrites } from '../../support/logTampering.ts'

const seed = randomInt(2 ** 31)

it('one changed byte of the stored log is named, wherever it lies', async () => {
  const { violations } = await driveBitFlips(seed, 25)
  expect(violations, `seed ${seed}`).toEqual([])
}, 120_000)

it('a log that was rewritten and hashed anew is noticed by who saw a later head live', async () => {
  const { violations } = await driveRewrites(seed, 30)
  expect(violations, `seed ${seed}`).toEqual([])
}, 120_000)
