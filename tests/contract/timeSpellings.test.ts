import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { intlSpelled, spellings } from './intl.ts'

describe.each(spellings)('if Intl formats dates as $name', (spelling) => {
  beforeEach(() => {
    vi.resetModules()
    vi.stubGlobal('Intl', intlSpelled(spelling))
  })
  afterEach(() => void vi.unstubAllGlobals())

  it.each([
    ['2026-01-05T15:59:59.999Z', 'Asia/Shanghai', '2026-01-05'],
    ['2026-01-05T16:00:00.000Z', 'Asia/Shanghai', '2026-01-06'],
    ['2026-03-08T04:59:59.999Z', 'America/New_York', '2026-03-07'],
    ['2026-12-31T23:59:59.999Z', 'UTC', '2026-12-31'],
  ])('%s in %s is %s', async (iso, zone, day) => {
    const { businessDay } = await import('../../contract/time.ts')
    expect(businessDay(Date.parse(iso), zone)).toBe(day)
  })

  it.each([
    ['2026-01-06', 'Asia/Shanghai', '2026-01-05T16:00:00.000Z'],
    ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
    ['2026-11-22', 'Pacific/Kiritimati', '2026-11-21T10:00:00.000Z'],
  ])('%s begins in %s at %s', async (day, zone, iso) => {
    const { startOfDay } = await import('../../contract/time.ts')
    expect(new Date(startOfDay(day, zone)).toISOString()).toBe(iso)
  })

  it.each([
    ['2026-01-06', 15, 'Asia/Shanghai', '2026-01-06T07:00:00.000Z'],
    ['2026-01-06', 0, 'Asia/Shanghai', '2026-01-05T16:00:00.000Z'],
    ['2026-01-06', 1, 'Asia/Shanghai', '2026-01-05T17:00:00.000Z'],
    ['2026-03-08', 2, 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-11-01', 0, 'America/New_York', '2026-11-01T04:00:00.000Z'],
    ['2026-10-25', 23, 'Europe/London', '2026-10-25T23:00:00.000Z'],
  ])('on %s the clocks show %i:00 in %s at %s', async (day, hour, zone, iso) => {
    const { atTime } = await import('../../contract/time.ts')
    expect(new Date(atTime(day, hour * 60, zone)).toISOString()).toBe(iso)
  })

  it.each([
    ['Asia/Kolkata', '2026-11-22T18:30:00Z', 5.5],
    ['America/New_York', '2026-07-01T04:00:00Z', -4],
    ['UTC', '2026-01-01T00:00:00Z', 0],
  ])('%s at %s is %d hours ahead of UTC', async (zone, iso, hours) => {
    const { zoneOffsetMs } = await import('../../src/chart/zone.ts')
    expect(zoneOffsetMs(zone, Date.parse(iso))).toBe(hours * 3_600_000)
  })

  it('a short time has hours and minutes', async () => {
    const { createFormat } = await import('../../src/text/format.ts')
    const parts = createFormat('en', 'UTC').timeShort(Date.parse('2026-11-22T14:25:39Z'))
    expect(parts.match(/\d+/g)).toEqual(['14', '25'])
  })

  it('the business calendar counts the same days', async () => {
    const { createZoneCalendar: zoneCalendar } = await import('../../server/money/ledger/businessCalendar.ts')
    expect(zoneCalendar('Asia/Shanghai', () => 0).dayOf(Date.parse('2026-11-21T16:00:00Z'))).toBe(
      '2026-11-22',
    )
  })
})
