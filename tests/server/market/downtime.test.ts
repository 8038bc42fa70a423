import { expect, it } from 'vitest'
import { driveDowntime } from '../../scenarios/downtime.ts'
import { testSeed } from '../../support/testSeed.ts'

it('refunds only orders with their entry or exit in an outage of over a minute, and settles the others from the log', async () => {
  const { violations, orders } = await driveDowntime(
    testSeed(),
    [
      { way: 'restart', ms: 1000 },
      { way: 'stall', ms: 20_000 },
      { way: 'restart', ms: 30_000 },
      { way: 'stall', ms: 90_000 },
      { way: 'restart', ms: 3_600_000 },
    ],
    8,
  )
  expect(violations).toEqual([])
  expect(orders).toBeGreaterThan(25)
})
