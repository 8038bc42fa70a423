import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { driveLeaderFaults } from '../../scenarios/cluster/leaderFaults.ts'
import type { LeaderFaultPlan } from '../../scenarios/cluster/leaderFaults.ts'
import { noViolations } from '../../scenarios/kill/audit.ts'
import { describeWithNats } from '../../support/nats.ts'
import { postgresUnavailableReason } from '../../support/scratchPostgres.ts'
import { testSeed } from '../../support/testSeed.ts'

const describe = await describeWithNats('leaderFaults')
const hasPostgres = (await postgresUnavailableReason()) === null

const drive = (plan: Pick<LeaderFaultPlan, 'feed' | 'faults'>) =>
  driveLeaderFaults({
    main: join(inject('serverBundle'), 'main.js'),
    faultMs: 0,
    seed: testSeed(),
    ...plan,
  })

/** `npm run campaign -- cluster` does the same more often and for longer. */
describe('a leader, a standby and an edge on one database', () => {
  it.runIf(hasPostgres)(
    'lose and double nothing and make no gap while leaders are killed and cut off',
    async () => {
      const { tried, acknowledged, gaps, violations } = await drive({
        feed: 'synthetic',
        faults: ['kill', 'stall'],
      })
      expect(violations).toEqual(noViolations())
      expect(gaps).toBe(0)
      expect(tried).toEqual({ kill: 1, stall: 1 })
      expect(acknowledged).toBeGreaterThan(40)
    },
    900_000,
  )

  it.runIf(hasPostgres)(
    'log every trade of live sources once, without a gap, when a leader is frozen',
    async () => {
      const { tried, liveTicks, gaps, violations } = await drive({ feed: 'live', faults: ['freeze'] })
      expect(violations).toEqual(noViolations())
      expect(gaps).toBe(0)
      expect(tried).toEqual({ freeze: 1 })
      expect(liveTicks).toBeGreaterThan(300)
    },
    900_000,
  )
})
