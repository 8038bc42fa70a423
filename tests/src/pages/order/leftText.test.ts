import { expect, it } from 'vitest'
import { leftText } from '../../../../src/pages/order/leftText.ts'

it.each([
  [-5, '0:00'],
  [1, '0:01'],
  [53_000, '0:53'],
  [292_001, '4:53'],
  [3_599_500, '1:00:00'],
  [3_723_000, '1:02:03'],
])('%i ms left are told as %s', (ms, text) => {
  expect(leftText(ms)).toBe(text)
})
