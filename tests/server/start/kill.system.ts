import { join } from 'node:path'
import { expect, it } from 'vitest'
import { noViolations } from '../../scenarios/kill/moneyCheck.ts'
import { killAtRandom, type KillPlan } from '../../scenarios/kill/kills.ts'
import { postgresUnavailableReason } from '../../support/scratchPostgres.ts'
import { testSeed } from '../../support/testSeed.ts'
import { serverBundle } from '../../support/serverBundle.ts'

const databases: KillPlan['database'][] =
  (await postgresUnavailableReason()) === null ? ['postgres', 'embedded'] : ['embedded']

/** `npm run campaign S2` does the same with a thousand kills, some of them while the venue starts. */
it.concurrent.for(databases)(
  'keeps what it acknowledged on %s after a kill at a random moment',
  async (database, { onTestFailed }) => {
    const { violations, underLoad, acknowledged, unanswered } = await killAtRandom({
      main: join(serverBundle(), 'main.js'),
      database,
      points: 1,
      seed: testSeed(onTestFailed),
    })
    expect(violations).toEqual(noViolations())
    expect(underLoad).toBe(1)
    expect(acknowledged + unanswered).toBeGreaterThan(0)
  },
)
