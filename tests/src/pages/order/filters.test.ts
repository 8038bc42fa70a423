import { describe, expect, it } from 'vitest'
import { filterQueryOf, filtersOf, isFiltered, tabOf } from '../../../../src/pages/order/filters.ts'

describe('filters', () => {
  const query = (text: string) => new URLSearchParams(text)
  it('parses known values from the address and ignores others', () => {
    expect(tabOf(query('tab=closed'))).toBe('closed')
    expect(tabOf(query('tab=all'))).toBe('records')
    expect(filterQueryOf(query('product=GC&direction=up&result=won&date=days7'))).toEqual({
      product: 'GC',
      direction: 'up',
      result: 'won',
      span: 'days7',
    })
    expect(filterQueryOf(query('direction=left&result=open&date=never'))).toEqual({
      product: '',
      direction: '',
      result: '',
      span: '',
    })
    expect(isFiltered(filterQueryOf(query('tab=closed')))).toBe(false)
  })
  it.each([
    ['today', '2026-11-20T16:00:00.000Z', undefined],
    ['yesterday', '2026-11-19T16:00:00.000Z', '2026-11-20T15:59:59.999Z'],
    ['days7', '2026-11-14T16:00:00.000Z', undefined],
  ] as const)('begins %s at midnight in the venue’s zone', (span, from, to) => {
    const filters = filtersOf({ product: '', direction: '', result: '', span }, '2026-11-21', 'Asia/Shanghai')
    expect(filters.from).toBe(Date.parse(from))
    expect(filters.to).toBe(to === undefined ? undefined : Date.parse(to))
  })
})
