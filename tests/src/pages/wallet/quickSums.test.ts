import { expect, it } from 'vitest'
import { minor } from '../../../../contract/brand.ts'
import { quickSums } from '../../../../src/pages/wallet/quickSums.ts'

it.each([
  [100, 99_999_900, [10_000, 50_000, 100_000, 500_000]],
  [20_000, 100_000, [50_000, 100_000]],
  [100, 5_000, []],
])('returns the sums from %d to %d: %j', (min, max, sums) => {
  expect(quickSums(minor(min), minor(max))).toEqual(sums)
})
