import { expect, it } from 'vitest'
import { newestTogether } from '../../../../src/features/orders/together.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

it.each([
  ['nothing', [], []],
  ['one', [5], [5]],
  ['those of the same moment', [5, 5, 5], [5, 5, 5]],
  ['those that came while the one before was new', [189, 99, 90, 0], [189, 99, 90, 0]],
  ['a later one alone', [101, 1, 0], [101]],
])('the newest that are told together of %s', (_what, noticed, together) => {
  const results = noticed.map((noticedAt) => ({ order: sampleOrder(), noticedAt }))
  expect(newestTogether(results, 100).map(({ noticedAt }) => noticedAt)).toEqual(together)
})
