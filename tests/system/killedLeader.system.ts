import { join } from 'node:path'
import { expect, it } from 'vitest'
import { driveFaults } from '../scenarios/cluster/faults.ts'
import { noViolations } from '../scenarios/kill/moneyCheck.ts'
import { describeWithNats } from '../support/nats.ts'
import { postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { testSeed } from '../support/testSeed.ts'
import { serverBundle } from '../support/serverBundle.ts'

const describe = await describeWithNats('killedLeader')
const hasPostgres = (await postgresUnavailableReason()) === null

describe('a standby', () => {
  it.runIf(hasPostgres)('takes over from a killed leader while members trade at an edge', async () => {
    const report = await driveFaults({
      main: join(serverBundle(), 'main.js'),
      feed: 'synthetic',
      faults: ['kill'],
      candidates: 2,
      edges: 1,
      sockets: 0,
      rate: 20,
      openMax: 4,
      seed: testSeed(),
    })
    expect(report.violations).toEqual(noViolations())
    expect(report.gaps).toBe(0)
    expect(report.acknowledged).toBeGreaterThan(20)
  })
})
