import { expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import { quickStakes, quickSums } from '../../../../src/features/forms/quickSums.ts'

it.each([
  [100, 99_999_900, [10_000, 50_000, 100_000, 500_000]],
  [20_000, 100_000, [50_000, 100_000]],
  [100, 5_000, []],
])('returns the sums from %d to %d: %j', (min, max, sums) => {
  expect(quickSums(minor(min), minor(max))).toEqual(sums)
})

it.each([
  ['those of a deposit', 100, 500_000, [10_000, 50_000, 100_000, 500_000]],
  ['smaller ones for a small balance', 100, 8_000, [100, 500, 1_000, 5_000]],
  ['none below the minimum', 500, 3_000, [500, 1_000]],
  ['none for an empty balance', 100, 0, []],
])('an order offers %s', (_, min, max, sums) => {
  expect(quickStakes(minor(min), minor(max))).toEqual(sums)
})
