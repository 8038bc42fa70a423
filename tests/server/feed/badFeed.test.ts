import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { driveBadFeed } from '../../support/badFeed.ts'

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
        const seed = randomInt(2 ** 31)
        const { violations, flagged } = await driveBadFeed(seed, kind, 15)
        expect(violations, `seed ${seed}`).toEqual([])
        expect(flagged > 0).toBe(kind !== 'hole')
      },
      120_000,
    )
  }
})
