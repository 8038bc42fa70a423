import { join } from 'node:path'
import { expect, it } from 'vitest'
import { driveFaults } from '../../../scenarios/cluster/faults.ts'
import { noViolations } from '../../../scenarios/kill/moneyCheck.ts'
import { describeWithNats } from '../../../support/nats.ts'
import { postgresUnavailableReason } from '../../../support/scratchPostgres.ts'
import { testSeed } from '../../../support/testSeed.ts'
import { serverBundle } from '../../../support/serverBundle.ts'

const describe = await describeWithNats('clusterFaults')
const hasPostgres = (await postgresUnavailableReason()) === null

const plan = () => ({ main: join(serverBundle(), 'main.js'), seed: testSeed(), rate: 20, openMax: 4 })
const nothingLost = { gaps: 0, missing: 0, doubled: 0, lostSockets: 0 }

/** `npm run campaign -- cluster` does the same more often, for longer, and with the other faults. */
describe('nodes of one venue on one database', () => {
  it.runIf(hasPostgres)(
    'lose and double nothing, and log every live trade once, when a leader loses the bus',
    async () => {
      const { tried, acknowledged, settled, liveTicks, violations, ...report } = await driveFaults({
        ...plan(),
        feed: 'live',
        faults: ['bus'],
        candidates: 2,
        edges: 1,
        sockets: 2,
      })
      expect(violations).toEqual(noViolations())
      expect(report).toMatchObject(nothingLost)
      expect(tried).toEqual({ bus: 1 })
      expect([acknowledged, settled].every((count) => count > 20)).toBe(true)
      expect(liveTicks).toBeGreaterThan(300)
    },
    900_000,
  )

  it.runIf(hasPostgres)(
    'bring sockets back without a missing tick when their edge is killed, and end them at a log-out elsewhere',
    async () => {
      const { tried, backMs, logoutMs, ticks, violations, ...report } = await driveFaults({
        ...plan(),
        feed: 'synthetic',
        faults: ['logout', 'edge'],
        candidates: 1,
        edges: 2,
        sockets: 4,
      })
      expect(violations).toEqual(noViolations())
      expect(report).toMatchObject(nothingLost)
      expect(tried).toEqual({ edge: 1, logout: 1 })
      expect([backMs.length, logoutMs.length]).toEqual([2, 1])
      expect(ticks).toBeGreaterThan(20)
    },
    900_000,
  )
})
