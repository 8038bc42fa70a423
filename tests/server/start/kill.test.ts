import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { noViolations } from '../../support/kill/audit.ts'
import { killAtRandom } from '../../support/kill/kills.ts'
import type { KillPlan } from '../../support/kill/kills.ts'
import { postgresUnavailableReason } from '../../support/scratchPostgres.ts'

const points = Number(process.env['KILLS'] ?? 50) / 2
const seed = randomInt(2 ** 31)
const hasPostgres = (await postgresUnavailableReason()) === null

/** `npm run campaign S2` is the same with a thousand points. Without PostgreSQL the embedded database takes them all. */
const plans: [database: KillPlan['database'], count: number][] = hasPostgres
  ? [
      ['postgres', points],
      ['embedded', points],
    ]
  : [['embedded', 2 * points]]

it.concurrent.each(plans)(
  `a venue on %s, killed at %i random points (seed ${seed}), keeps what it acknowledged`,
  async (database, count) => {
    const { violations, underLoad, starting, acknowledged } = await killAtRandom({
      database,
      points: count,
      seed,
    })
    expect(violations).toEqual(noViolations())
    expect(underLoad + starting).toBe(count)
    expect(acknowledged).toBeGreaterThan(0)
  },
  1_800_000,
)
