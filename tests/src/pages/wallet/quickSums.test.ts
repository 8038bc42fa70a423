import { expect, it } from 'vitest'
import { minor } from '../../../../contract/brand.ts'
import { quickSums } from '../../../../src/pages/wallet/quickSums.ts'

it.each([
  [100, 99_999_900, [10_000, 50_000, 100_000, 500_000]],
  [20_000, 100_000, [50_000, 100_000]],
  [100, 5_000, []],
])('from %d to %d: %j', (least, most, sums) => {
  expect(quickSums(minor(least), minor(most))).toEqual(sums)
})
