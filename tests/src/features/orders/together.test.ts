import { expect, it } from 'vitest'
import { newestTogether, togetherMs } from '../../../../src/features/orders/together.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

it.each([
  ['nothing', [], []],
  ['one', [5], [5]],
  ['those of the same moment', [5, 5, 5], [5, 5, 5]],
  ['those within the time of the first', [togetherMs - 1, 1, 0], [togetherMs - 1, 1, 0]],
  ['a later one alone', [togetherMs, 1, 0], [togetherMs]],
])('the newest that are told together of %s', (_what, noticed, together) => {
  const results = noticed.map((noticedAt) => ({ order: sampleOrder(), noticedAt }))
  expect(newestTogether(results).map(({ noticedAt }) => noticedAt)).toEqual(together)
})
