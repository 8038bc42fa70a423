import { expect, it } from 'vitest'
import { driveBitFlips, driveRewrites } from '../../../scenarios/logTampering.ts'
import { testSeed } from '../../../support/testSeed.ts'

it('reports one changed byte of the stored log, wherever it is', async () => {
  const { violations, tried } = await driveBitFlips(testSeed(), 10)
  expect(violations).toEqual([])
  expect(tried).toBe(12)
})

it('detects a log that was rewritten and hashed again, if a later head was seen live', async () => {
  const { violations, tried } = await driveRewrites(testSeed(), 10)
  expect(violations).toEqual([])
  expect(tried).toBe(30)
})
