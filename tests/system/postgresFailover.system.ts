import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { driveFaults } from '../scenarios/cluster/faults.ts'
import { noViolations } from '../scenarios/kill/audit.ts'
import { testSeed } from '../support/testSeed.ts'

it('loses and doubles nothing when PostgreSQL is lost under load and its synchronous replica is promoted, twice', async () => {
  const { tried, acknowledged, settled, violations, ...report } = await driveFaults({
    main: join(inject('serverBundle'), 'main.js'),
    seed: testSeed(),
    rate: 20,
    openMax: 8,
    feed: 'synthetic',
    faults: ['failover', 'failover'],
    candidates: 2,
    edges: 2,
    sockets: 4,
  })
  expect(violations).toEqual(noViolations())
  expect(report).toMatchObject({ gaps: 0, missing: 0, doubled: 0, lostSockets: 0 })
  expect(tried).toEqual({ failover: 2 })
  expect([acknowledged, settled].every((count) => count > 60)).toBe(true)
})
