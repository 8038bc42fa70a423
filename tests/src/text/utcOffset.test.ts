import { expect, it } from 'vitest'
import { utcOffset } from '../../../src/text/utcOffset.ts'

const january = Date.UTC(2026, 0, 5)
const july = Date.UTC(2026, 6, 5)

it.each([
  ['Asia/Shanghai', january, 'UTC+8'],
  ['America/New_York', january, 'UTC-5'],
  ['America/New_York', july, 'UTC-4'],
  ['Asia/Kolkata', january, 'UTC+5:30'],
  ['UTC', january, 'UTC+0'],
])('%s at %i is %s', (zone, at, text) => {
  expect(utcOffset(zone, at)).toBe(text)
})
