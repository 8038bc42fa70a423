import { expect, it } from 'vitest'
import { amountTyped } from '../../office/data/amountTyped.ts'

it.each([
  ['', undefined],
  ['  ', undefined],
  ['1000', 100_000],
  ['1,000', 100_000],
  ['１，０００．５元', 100_050],
  ['1,234,567.89', 123_456_789],
  ['1，00元', 'unclear'],
  ['1,00', 'unclear'],
  ['1,0000', 'unclear'],
  ['1.000,50', 'unclear'],
  ['abc', 'unclear'],
  ['元', 'unclear'],
  ['-5', 'unclear'],
])('%s is read as %s', (typed, amount) => {
  expect(amountTyped(typed)).toBe(amount)
})
