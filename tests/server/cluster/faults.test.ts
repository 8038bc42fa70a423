import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { driveEdgeFaults } from '../../scenarios/cluster/edgeFaults.ts'
import { driveLeaderFaults } from '../../scenarios/cluster/leaderFaults.ts'
import { noViolations } from '../../scenarios/kill/audit.ts'
import { describeWithNats } from '../../support/nats.ts'
import { postgresUnavailableReason } from '../../support/scratchPostgres.ts'
import { testSeed } from '../../support/testSeed.ts'

const describe = await describeWithNats('clusterFaults')
const hasPostgres = (await postgresUnavailableReason()) === null

const plan = () => ({ main: join(inject('serverBundle'), 'main.js'), seed: testSeed() })

/** `npm run campaign -- cluster` does the same more often, for longer, and with the other faults; `pgbouncer.test.ts` kills a leader. */
describe('nodes of one venue on one database', () => {
  it.runIf(hasPostgres)(
    'lose and double nothing, and log every live trade once, when a leader loses the bus',
    async () => {
      const { tried, acknowledged, liveTicks, gaps, violations } = await driveLeaderFaults({
        ...plan(),
        feed: 'live',
        faults: ['bus'],
        faultMs: 0,
      })
      expect(violations).toEqual(noViolations())
      expect(gaps).toBe(0)
      expect(tried).toEqual({ bus: 1 })
      expect(acknowledged).toBeGreaterThan(20)
      expect(liveTicks).toBeGreaterThan(300)
    },
    900_000,
  )

  it.runIf(hasPostgres)(
    'bring sockets back without a missing tick when their edge is killed, and end them at a log-out elsewhere',
    async () => {
      const { tried, backMs, logoutMs, ticks, missing, doubled, gaps, violations } = await driveEdgeFaults({
        ...plan(),
        feed: 'synthetic',
        faults: ['logout', 'edge'],
        sockets: 4,
        rate: 20,
      })
      expect(violations).toEqual(noViolations())
      expect(tried).toEqual({ edge: 1, logout: 1 })
      expect([backMs.length, logoutMs.length]).toEqual([2, 1])
      expect(ticks).toBeGreaterThan(20)
      expect([missing, doubled, gaps]).toEqual([0, 0, 0])
    },
    900_000,
  )
})
