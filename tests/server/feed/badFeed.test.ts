import { describe, expect, it } from 'vitest'
import { driveBadFeed } from '../../scenarios/badFeed.ts'
import { testSeed } from '../../support/testSeed.ts'

const testNames = {
  foreign: 'does not change charts or results if a feed sends bad ticks',
  recording: 'does not change charts or results if a recording has bad rows',
  hole: 'rejects and refunds orders in a silence of 30 s and changes nothing else',
} as const

describe('bad feed', () => {
  for (const kind of ['foreign', 'recording', 'hole'] as const) {
    it(
      testNames[kind],
      async () => {
        const { violations, tried, flagged } = await driveBadFeed(testSeed(), kind, 15, 130_000)
        expect(violations).toEqual([])
        expect(tried).toBeGreaterThanOrEqual(15)
        expect(flagged > 0).toBe(kind !== 'hole')
      },
      120_000,
    )
  }
})
