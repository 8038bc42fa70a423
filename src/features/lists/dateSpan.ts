import { addDays, startOfDay, type BusinessDay } from '../../../contract/time.ts'

/** Time spans to filter a list by. */
export const dateSpans = ['today', 'yesterday', 'days7', 'days30'] as const
export type DateSpan = (typeof dateSpans)[number]

const firstDay: Record<DateSpan, number> = { today: 0, yesterday: -1, days7: -6, days30: -29 }

/** The span that the address names (`?date=`); empty if there is none. */
export const dateSpanOf = (query: URLSearchParams): DateSpan | '' =>
  dateSpans.find((span) => span === query.get('date')) ?? ''

/** The instants of a span, inclusive; days begin at midnight in the venue's zone. Empty before today is known. */
export function instantsOf(
  span: DateSpan | '',
  today: BusinessDay | undefined,
  zone: string,
): { from?: number; to?: number } {
  if (span === '' || today === undefined) return {}
  const from = startOfDay(addDays(today, firstDay[span]), zone)
  return span === 'yesterday' ? { from, to: startOfDay(today, zone) - 1 } : { from }
}
