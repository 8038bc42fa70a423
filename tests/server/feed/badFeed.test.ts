import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { driveBadFeed } from '../../support/badFeed.ts'

const kinds = {
  foreign: 'bad ticks of a feed change neither chart nor results',
  recording: 'bad rows of a recording change neither chart nor results',
  hole: 'a silence of 30 s is refused and sent back, and changes nothing else',
} as const

describe('a bad feed cannot hurt', () => {
  for (const kind of ['foreign', 'recording', 'hole'] as const) {
    it(
      kinds[kind],
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
