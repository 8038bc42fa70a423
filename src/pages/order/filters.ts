import { directions, finalStatuses, type Direction } from '../../../contract/orders.ts'
import type { FinalStatus } from '../../../contract/settle.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import { dateSpanOf, instantsOf, type DateSpan } from '../../features/lists/dateSpan.ts'
import { orderTabs, type OrderFilters, type OrderTab } from '../../features/orders/list.ts'

/** The filters as in the address: all text, empty if not filtered. */
export type FilterQuery = {
  product: string
  direction: Direction | ''
  result: FinalStatus | ''
  span: DateSpan | ''
}

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | '' =>
  values.find((value) => value === text) ?? ''

export const tabOf = (query: URLSearchParams): OrderTab => oneOf(orderTabs, query.get('tab')) || 'records'

export const filterQueryOf = (query: URLSearchParams): FilterQuery => ({
  product: query.get('product') ?? '',
  direction: oneOf(directions, query.get('direction')),
  result: oneOf(finalStatuses, query.get('result')),
  span: dateSpanOf(query),
})

/** The filters for the request; days begin at midnight in the venue's zone. */
export function filtersOf(query: FilterQuery, today: BusinessDay | undefined, zone: string): OrderFilters {
  return {
    ...(query.product === '' ? {} : { productId: query.product }),
    ...(query.direction === '' ? {} : { direction: query.direction }),
    ...(query.result === '' ? {} : { result: query.result }),
    ...instantsOf(query.span, today, zone),
  }
}

export const isFiltered = (query: FilterQuery): boolean => Object.values(query).some((value) => value !== '')
