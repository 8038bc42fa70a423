import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { noViolations } from '../../scenarios/kill/audit.ts'
import { killAtRandom } from '../../scenarios/kill/kills.ts'
import type { KillPlan } from '../../scenarios/kill/kills.ts'
import { postgresUnavailableReason } from '../../support/scratchPostgres.ts'
import { testSeed } from '../../support/testSeed.ts'

const points = Number(process.env['KILLS'] ?? 4) / 2
const hasPostgres = (await postgresUnavailableReason()) === null

/** `npm run campaign S2` does the same with a thousand points. Without PostgreSQL all points use the embedded database. */
const plans: [database: KillPlan['database'], count: number][] = hasPostgres
  ? [
      ['postgres', points],
      ['embedded', points],
    ]
  : [['embedded', 2 * points]]

it.concurrent.for(plans)(
  'keeps what it acknowledged on %s after kills at %i random points',
  async ([database, count], { onTestFailed }) => {
    const { violations, underLoad, starting, acknowledged } = await killAtRandom({
      main: join(inject('serverBundle'), 'main.js'),
      database,
      points: count,
      seed: testSeed(onTestFailed),
    })
    expect(violations).toEqual(noViolations())
    expect(underLoad + starting).toBe(count)
    expect(acknowledged).toBeGreaterThan(0)
  },
)
