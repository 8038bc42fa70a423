import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { noViolations } from '../../scenarios/kill/audit.ts'
import { killLeaders } from '../../scenarios/kill/leaderKills.ts'
import { describeWithNats } from '../../support/nats.ts'
import { postgresUnavailableReason } from '../../support/scratchPostgres.ts'
import { testSeed } from '../../support/testSeed.ts'

const describe = await describeWithNats('leaderKills')
const hasPostgres = (await postgresUnavailableReason()) === null

describe('a leader, a standby and an edge on one database', () => {
  /** `npm run campaign cluster` does the same with a hundred kills. */
  it.runIf(hasPostgres)(
    'lose and double nothing and make no gap while members trade and leaders are killed',
    async () => {
      const { kills, acknowledged, gaps, violations } = await killLeaders({
        main: join(inject('serverBundle'), 'main.js'),
        kills: 2,
        seed: testSeed(),
      })
      expect(violations).toEqual(noViolations())
      expect(gaps).toBe(0)
      expect(kills).toBe(2)
      expect(acknowledged).toBeGreaterThan(40)
    },
    900_000,
  )
})
