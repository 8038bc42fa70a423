import { expect, it } from 'vitest'
import { driveLogRewrites, driveProofTampering } from '../../scenarios/publicLogTampering.ts'
import { testSeed } from '../../support/testSeed.ts'

/** `npm run campaign publicLog` does the same with 1,000 tamperings and 100 logs. */
it('a changed proof, leaf or checkpoint is named, and a rewritten log', async () => {
  const seed = testSeed()
  expect(await driveProofTampering(100, seed)).toEqual({ tried: 100, violations: [] })
  expect(await driveLogRewrites(10, seed)).toEqual({ tried: 10, violations: [] })
})
