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

async function expectSame(faults: readonly NodeFault[]): Promise<void> {
  const report = await driveSameNodes({
    main: join(serverBundle(), 'main.js'),
    seed: testSeed(),
    faults,
    rate: 6,
    openMax: 30,
  })
  expect(report.differences).toEqual([])
  expect(report.violations).toEqual(noViolations())
  for (const count of [report.proofs, report.ticks, report.settled, report.liveTicks])
    expect(count).toBeGreaterThan(20)
}

/** `npm run campaign -- nodes` does the same ten times. */
describe('four nodes on live prices tell the same as the database', () => {
  it.runIf(hasPostgres)('after all were stopped and started together', () => expectSame(['together']))

  it.runIf(hasPostgres && hasOwnPostgres)('after PostgreSQL was restarted', () => expectSame(['postgres']))

  it.runIf(hasPostgres)(
    'after one with a wrong clock took over, and after one was started with all others',
    () => expectSame(['fastStandby', 'fastStart']),
  )
})
