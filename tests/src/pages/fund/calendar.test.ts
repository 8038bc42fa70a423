import { describe, expect, it } from 'vitest'
import { addMonths, monthOf } from '../../../../contract/time.ts'
import { weeksOf } from '../../../../src/features/lists/monthWeeks.ts'
import { lotMatches, lotFilterOf } from '../../../../src/pages/fund/lotFilter.ts'

describe('addMonths', () => {
  it.each([
    ['2026-11', 1, '2026-12'],
    ['2026-12', 1, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2026-11', -36, '2023-11'],
    ['2026-11', 0, '2026-11'],
  ])('%s and %d months is %s', (month, months, after) => {
    expect(addMonths(month, months)).toBe(after)
  })

  it('returns the month of a day', () => {
    expect(monthOf('2026-11-21')).toBe('2026-11')
  })
})

describe('weeksOf', () => {
  it('begins weeks on Monday', () => {
    const weeks = weeksOf('2026-11')
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
    expect(weeks.at(-1)).toEqual(['2026-11-30', null, null, null, null, null, null])
  })

  it.each([
    ['2026-02', 28, 5],
    ['2024-02', 29, 5],
    ['2027-02', 28, 4],
    ['2026-08', 31, 6],
  ])('%s has %d days in %d weeks', (month, days, count) => {
    const weeks = weeksOf(month)
    expect(weeks).toHaveLength(count)
    expect(weeks.every((week) => week.length === 7)).toBe(true)
    expect(weeks.flat().filter((day) => day !== null)).toHaveLength(days)
  })
})

describe('lotMatches', () => {
  const pending = { status: 'pending_review', remaining: '10.00' } as const
  const confirmed = { status: 'confirmed', remaining: '10.00' } as const
  const used = { status: 'confirmed', remaining: '0.00' } as const
  it.each([
    ['all', [true, true, true]],
    ['pending', [true, false, false]],
    ['confirmed', [false, true, false]],
  ] as const)('filters lots by %s', (status, shown) => {
    expect([pending, confirmed, used].map((lot) => lotMatches(lot, status))).toEqual(shown)
  })

  it('uses the filter "all" for an unknown status in the address', () => {
    expect([null, '', 'pending', 'other'].map(lotFilterOf)).toEqual(['all', 'all', 'pending', 'all'])
  })
})
