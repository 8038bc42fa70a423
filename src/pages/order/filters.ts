import type { Direction } from '../../../contract/orders.ts'
import { directions, finalStatuses } from '../../../contract/orders.ts'
import type { FinalStatus } from '../../../contract/settle.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import { addDays, startOfDay } from '../../../contract/time.ts'
import type { OrderFilters, OrderTab } from './list.ts'
import { orderTabs } from './list.ts'

/** Time spans to filter a list by. */
export const spans = ['today', 'yesterday', 'days7', 'days30'] as const
export type Span = (typeof spans)[number]

/** The filters as in the address: all text, empty if not filtered. */
export type FilterQuery = {
  product: string
  direction: Direction | ''
  result: FinalStatus | ''
  span: Span | ''
}

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | '' =>
  values.find((value) => value === text) ?? ''

export const tabOf = (query: URLSearchParams): OrderTab => oneOf(orderTabs, query.get('tab')) || 'records'

export const filterQueryOf = (query: URLSearchParams): FilterQuery => ({
  product: query.get('product') ?? '',
  direction: oneOf(directions, query.get('direction')),
  result: oneOf(finalStatuses, query.get('result')),
  span: oneOf(spans, query.get('date')),
})

/** The filters for the request; days begin at midnight in the venue's zone. */
export function filtersOf(query: FilterQuery, today: BusinessDay | undefined, zone: string): OrderFilters {
  return {
    ...(query.product === '' ? {} : { productId: query.product }),
    ...(query.direction === '' ? {} : { direction: query.direction }),
    ...(query.result === '' ? {} : { result: query.result }),
    ...(query.span === '' || today === undefined ? {} : spanOf(query.span, today, zone)),
  }
}

function spanOf(span: Span, today: BusinessDay, zone: string): { from: number; to?: number } {
  const days: Record<Span, number> = { today: 0, yesterday: -1, days7: -6, days30: -29 }
  const from = startOfDay(addDays(today, days[span]), zone)
  return span === 'yesterday' ? { from, to: startOfDay(today, zone) - 1 } : { from }
}

export const isFiltered = (query: FilterQuery): boolean => Object.values(query).some((value) => value !== '')
