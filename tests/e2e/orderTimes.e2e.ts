import { driveOrderTimes, orderTroubles } from '../scenarios/orderTimes.ts'
import { expect, test } from './test.ts'

test('what is told of orders is what the venue did, whatever happened meanwhile', async ({ browser }) => {
  test.slow()
  const { tried, violations } = await driveOrderTimes({
    browser,
    seed: 20,
    runs: 2,
    sets: [['sleep', 'offline'], orderTroubles],
    log: () => undefined,
  })
  expect(violations).toEqual([])
  expect(tried).toBe(2)
})
