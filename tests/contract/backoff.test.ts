import { expect, it } from 'vitest'
import { backoffMs } from '../../contract/backoff.ts'

it('doubles the pause with each failure, up to the longest one', () => {
  expect([1, 2, 3, 4, 5, 2000].map((count) => backoffMs(count, 1000, 10_000))).toEqual([
    1000, 2000, 4000, 8000, 10_000, 10_000,
  ])
})
