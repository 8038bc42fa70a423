import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { driveFlips, driveRewrites } from '../../support/tampering.ts'

const seed = randomInt(2 ** 31)

it('one changed byte of the stored log is named, wherever it lies', async () => {
  const { broken } = await driveFlips(seed, 25)
  expect(broken, `seed ${seed}`).toEqual([])
}, 120_000)

it('a log that was rewritten and hashed anew is noticed by who saw a later head live', async () => {
  const { broken } = await driveRewrites(seed, 30)
  expect(broken, `seed ${seed}`).toEqual([])
}, 120_000)
