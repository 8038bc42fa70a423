import { expect, it } from 'vitest'
import { driveProofFlips, driveTileFlips } from '../scenarios/verifyTampering.ts'
import { testSeed } from '../support/testSeed.ts'

/** `npm run campaign publicLog` does the same with 1,000 bytes each. */
it('uptick verify notices a byte changed anywhere in a proof file, and names the tile of one in a log', async () => {
  const seed = testSeed()
  expect(await driveProofFlips(30, seed)).toEqual({ tried: 30, violations: [] })
  expect(await driveTileFlips(20, seed)).toEqual({ tried: 20, violations: [] })
})
