import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { driveFaults } from '../../scenarios/cluster/faults.ts'
import { noViolations } from '../../scenarios/kill/audit.ts'
import { describeWithNats } from '../../support/nats.ts'
import { postgresUnavailableReason } from '../../support/scratchPostgres.ts'
import { testSeed } from '../../support/testSeed.ts'

const describe = await describeWithNats('clusterFaults')
const hasPostgres = (await postgresUnavailableReason()) === null

/** `npm run campaign -- cluster` does the same more often, for longer, and with the other faults; `pgbouncer.test.ts` kills a leader. */
describe('nodes of one venue on one database', () => {
  // One venue for all three faults: its nodes' starts take most of the time.
  it.runIf(hasPostgres)(
    'end sockets at a log-out elsewhere, bring them back without a missing tick when their edge is killed, and log every live trade once when a leader loses the bus',
    async () => {
      const { tried, acknowledged, settled, liveTicks, backMs, logoutMs, ticks, violations, ...report } =
        await driveFaults({
          main: join(inject('serverBundle'), 'main.js'),
          seed: testSeed(),
          feed: 'live',
          faults: ['logout', 'edge', 'bus'],
          candidates: 2,
          edges: 2,
          restarts: false,
          sockets: 4,
          rate: 20,
          openMax: 4,
        })
      expect(violations).toEqual(noViolations())
      expect(report).toMatchObject({ gaps: 0, missing: 0, doubled: 0, lostSockets: 0 })
      expect(tried).toEqual({ logout: 1, edge: 1, bus: 1 })
      expect([backMs.length, logoutMs.length]).toEqual([2, 1])
      expect([acknowledged, settled].every((count) => count > 20)).toBe(true)
      expect(liveTicks).toBeGreaterThan(300)
      expect(ticks).toBeGreaterThan(20)
    },
    900_000,
  )
})
