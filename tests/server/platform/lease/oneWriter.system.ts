import { join } from 'node:path'
import { expect, it } from 'vitest'
import { driveOneWriter } from '../../../scenarios/kill/oneWriter.ts'
import { postgresUnavailableReason } from '../../../support/scratchPostgres.ts'
import { testSeed } from '../../../support/testSeed.ts'
import { serverBundle } from '../../../support/serverBundle.ts'

/** `npm run campaign lease` does the same with a hundred kills and twenty freezes. */
it.runIf((await postgresUnavailableReason()) === null)(
  'keeps one writer per database through a kill, a freeze and starts beside a running venue',
  async () => {
    const { violations, starts, rejectedStartMs, flushes } = await driveOneWriter({
      main: join(serverBundle(), 'main.js'),
      kills: 1,
      freezes: 1,
      seed: testSeed(),
    })
    expect(violations).toEqual([])
    expect(starts).toBe(3)
    expect(rejectedStartMs).toHaveLength(1)
    expect(flushes).toBeGreaterThan(20)
  },
  900_000,
)
