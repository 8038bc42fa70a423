import { expect, it, vi } from 'vitest'
import { zoneName } from '../../../../server/office/content/templateContext.ts'

it.each([
  ['en-GB', 'Asia/Shanghai', 'China Standard Time'],
  ['zh-CN', 'Asia/Shanghai', '北京时间'],
  ['en-GB', 'Europe/Berlin', 'Central European Time'],
  ['de', 'Europe/Berlin', 'Mitteleuropäische Zeit'],
  ['en-GB', 'Asia/Ho_Chi_Minh', 'Indochina Time'],
  ['en-GB', 'UTC', 'UTC'],
  ['fr', 'UTC', 'UTC'],
  ['en-GB', 'Etc/GMT-8', 'Etc/GMT-8'],
])('in %s names %s %s', (locale, zone, name) => {
  expect(zoneName(locale, zone)).toBe(name)
})

it.each([
  ['Asia/Ho_Chi_Minh', 'Ho Chi Minh'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires'],
])('names %s by its city if there is only an offset', (zone, name) => {
  const offset = [{ type: 'timeZoneName', value: 'GMT+07:00' }] as const
  vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts').mockReturnValueOnce([...offset])
  expect(zoneName('en-GB', zone)).toBe(name)
})
