import { expect, it } from 'vitest'
import { zoneName } from '../../../../src/pages/fund/zoneName.ts'

const winter = Date.UTC(2026, 0, 15)
const summer = Date.UTC(2026, 6, 15)

it.each([
  ['en-GB', 'Asia/Shanghai', winter, 'China Standard Time'],
  ['zh-CN', 'Asia/Shanghai', winter, '中国标准时间'],
  ['de', 'Europe/Berlin', summer, 'Mitteleuropäische Sommerzeit'],
  ['en-GB', 'UTC', winter, 'Coordinated Universal Time'],
] as const)('%s says %s', (locale, zone, at, name) => {
  expect(zoneName(locale, zone, at)).toBe(name)
})
