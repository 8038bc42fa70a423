import { join } from 'node:path'
import { expect, it } from 'vitest'
import { noViolations } from '../scenarios/kill/moneyCheck.ts'
import { driveSameNodes, type NodeFault } from '../scenarios/cluster/sameNodes.ts'
import { describeWithNats } from '../support/nats.ts'
import { ownPostgresUnavailableReason } from '../support/ownPostgres.ts'
import { postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { testSeed } from '../support/testSeed.ts'
import { serverBundle } from '../support/serverBundle.ts'

const describe = await describeWithNats('sameNodes')
const hasPostgres = (await postgresUnavailableReason()) === null
const hasOwnPostgres = ownPostgresUnavailableReason() === null

/** `npm run campaign -- nodes` does the same ten times. */
describe('four nodes on live prices tell the same as the database', () => {
  it.runIf(hasPostgres)(
    'after all were stopped and started together, PostgreSQL was restarted, one with a wrong clock took over, and one was started with all others',
    async () => {
      // One venue goes through all of it, because to start four nodes takes most of the time.
      const faults: NodeFault[] = ['together', ...(hasOwnPostgres ? (['postgres'] as const) : [])]
      faults.push('fastStandby', 'fastStart')
      const report = await driveSameNodes({
        main: join(serverBundle(), 'main.js'),
        seed: testSeed(),
        faults,
        rate: 6,
        openMax: 30,
      })
      expect(report.differences).toEqual([])
      expect(report.violations).toEqual(noViolations())
      expect(report.tried).toEqual(Object.fromEntries(faults.map((fault) => [fault, 1])))
      for (const count of [report.proofs, report.ticks, report.settled, report.liveTicks])
        expect(count).toBeGreaterThan(15 * faults.length)
    },
  )
})
