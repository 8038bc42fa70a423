import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { driveDowntime } from '../support/downtime.ts'

test('an order whose entry or exit lies in an outage is refunded, every other one settles from the log', async () => {
  const seed = randomInt(2 ** 31)
  const { broken } = await driveDowntime(
    seed,
    [
      { way: 'restart', ms: 1000 },
      { way: 'stall', ms: 60_000 },
      { way: 'restart', ms: 3_600_000 },
    ],
    12,
  )
  expect(broken, `seed ${seed}`).toEqual([])
}, 120_000)
