import { describe, expect, it } from 'vitest'
import { createDayFormat } from '../../../src/text/formatDay.ts'

describe('createDayFormat', () => {
  it.each([
    ['en', '20 Nov', 'Fri 20 Nov', 'November 2026', 'M'],
    ['zh-CN', '11月20日', '11月20日周五', '2026年11月', '一'],
    ['de', '20. Nov.', 'Fr., 20. Nov.', 'November 2026', 'M'],
    ['vi', '20/11', 'Th 6, 20/11', 'tháng 11 năm 2026', 'T2'],
    ['th', '20 พ.ย.', 'ศุกร์ 20 พ.ย.', 'พฤศจิกายน 2026', 'จ'],
  ] as const)('formats days, months and weekdays in %s', (language, short, long, month, monday) => {
    const days = createDayFormat(language)
    expect(days.short('2026-11-20')).toBe(short.replaceAll(' ', '\u00a0'))
    expect(days.long('2026-11-20').replace(/^Fri,/, 'Fri').replace('Thứ', 'Th')).toBe(long)
    expect(days.month('2026-11').replace('ค.ศ. ', '')).toBe(month)
    expect(days.weekdays()).toHaveLength(7)
    expect(days.weekdays()[0]?.letter).toBe(monday)
  })

  it.each([
    ['vi', 'tháng 11 năm 2026', 'Tháng 11 năm 2026'],
    ['fr', 'novembre 2026', 'Novembre 2026'],
    ['zh-CN', '2026年11月', '2026年11月'],
  ] as const)('begins a month that stands alone with a capital in %s', (language, inSentence, alone) => {
    const days = createDayFormat(language)
    expect(days.month('2026-11')).toBe(inSentence)
    expect(days.monthHead('2026-11')).toBe(alone)
  })
})
