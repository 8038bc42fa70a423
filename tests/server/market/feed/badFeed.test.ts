import { describe, expect, it } from 'vitest'
import { driveBadFeed, feedDefects } from '../../../scenarios/badFeed.ts'
import { testSeed } from '../../../support/testSeed.ts'

const testNames = {
  foreign: 'does not change charts or results if a feed sends bad ticks',
  recording: 'does not change charts or results if a recording has bad rows',
  hole: 'rejects and refunds orders in a silence of 30 s and changes nothing else',
} as const

describe('bad feed', () => {
  let run: ReturnType<typeof driveBadFeed> | null = null
  for (const kind of feedDefects) {
    it(testNames[kind], async () => {
      const seed = testSeed()
      run ??= driveBadFeed(seed, 15, 130_000)
      const { violations, tried, flagged } = (await run)[kind]
      expect(violations).toEqual([])
      expect(tried).toBeGreaterThanOrEqual(15)
      expect(flagged > 0).toBe(kind !== 'hole')
    })
  }
})
