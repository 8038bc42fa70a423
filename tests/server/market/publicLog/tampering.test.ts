import { expect, it } from 'vitest'
import { driveLogRewrites, driveProofTampering } from '../../../scenarios/publicLogTampering.ts'
import { testSeed } from '../../../support/testSeed.ts'

/** `npm run campaign publicLog` does the same with 1,000 changes in 100 logs. */
it('a changed proof, leaf or checkpoint is named, and a rewritten log', async () => {
  const seed = testSeed()
  expect(await driveProofTampering(40, seed)).toEqual({ tried: 40, violations: [] })
  expect(await driveLogRewrites(5, seed)).toEqual({ tried: 5, violations: [] })
})
