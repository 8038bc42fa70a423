import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { driveBitFlips, driveRewrites } from '../../support/logTampering.ts'

const seed = randomInt(2 ** 31)

it('reports one changed byte of the stored log, wherever it is', async () => {
  const { violations } = await driveBitFlips(seed, 25)
  expect(violations, `seed ${seed}`).toEqual([])
}, 120_000)

it('detects a log that was rewritten and hashed again, if a later head was seen live', async () => {
  const { violations } = await driveRewrites(seed, 30)
  expect(violations, `seed ${seed}`).toEqual([])
}, 120_000)
