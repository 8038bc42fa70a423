import { expect, it } from 'vitest'
import { addDays, atTime, businessDay, relativeTime, startOfDay, weekOf } from '../../contract/time.ts'

it.each([
  ['2026-01-05T15:59:59.999Z', 'Asia/Shanghai', '2026-01-05'],
  ['2026-01-05T16:00:00.000Z', 'Asia/Shanghai', '2026-01-06'],
  ['2026-03-08T04:59:59.999Z', 'America/New_York', '2026-03-07'],
])('%s in %s is %s', (iso, zone, day) => {
  expect(businessDay(Date.parse(iso), zone)).toBe(day)
})

it.each([
  ['2026-01-06', 'Asia/Shanghai', '2026-01-05T16:00:00.000Z'],
  ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'],
  ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
  ['2026-01-06', 'Pacific/Kiritimati', '2026-01-05T10:00:00.000Z'],
])('%s begins in %s at %s', (day, zone, iso) => {
  expect(new Date(startOfDay(day, zone)).toISOString()).toBe(iso)
})

it.each([
  ['2026-01-06', 15, 'Asia/Shanghai', '2026-01-06T07:00:00.000Z'],
  ['2026-03-07', 15, 'America/New_York', '2026-03-07T20:00:00.000Z'],
  ['2026-03-08', 15, 'America/New_York', '2026-03-08T19:00:00.000Z'],
  ['2026-11-01', 15, 'America/New_York', '2026-11-01T20:00:00.000Z'],
  ['2026-03-29', 15, 'Europe/London', '2026-03-29T14:00:00.000Z'],
  ['2026-04-24', 15, 'Africa/Cairo', '2026-04-24T12:00:00.000Z'],
  ['2026-03-08', 2, 'America/New_York', '2026-03-08T07:00:00.000Z'],
  ['2026-11-01', 0, 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ['2026-10-25', 23, 'Europe/London', '2026-10-25T23:00:00.000Z'],
])('on %s the clocks show %i:00 in %s at %s', (day, hour, zone, iso) => {
  expect(new Date(atTime(day, hour * 60, zone)).toISOString()).toBe(iso)
})

it.each([
  ['2026-02-28', 1, '2026-03-01'],
  ['2026-01-01', -1, '2025-12-31'],
])('%s and %i days is %s', (day, days, then) => {
  expect(addDays(day, days)).toBe(then)
})

const minute = 60_000
it.each([
  [0, { kind: 'now' }],
  [15 * minute - 1, { kind: 'now' }],
  [15 * minute, { kind: 'minutes', count: 15 }],
  [60 * minute, { kind: 'hours', count: 1 }],
  [24 * 60 * minute - 1, { kind: 'hours', count: 23 }],
  [24 * 60 * minute, { kind: 'date' }],
])('relativeTime of %i ms ago', (ago, expected) => {
  expect(relativeTime(1e12, 1e12 + ago)).toEqual(expected)
})

it.each([
  ['2026-01-05', '2026-01-05'],
  ['2026-01-11', '2026-01-05'],
  ['2026-01-12', '2026-01-12'],
  ['2026-03-01', '2026-02-23'],
  ['2027-01-01', '2026-12-28'],
])('the week of %s begins on Monday, %s', (day, monday) => expect(weekOf(day)).toBe(monday))
