import type { TFunction } from 'i18next'
import type { Order, ProductDetail } from '../../../streams/index.ts'
import type { Format } from '../../format.ts'

/** Milliseconds as seconds in the member's digits: 10, 0.5. */
export const secondsText = (format: Format, ms: number): string => format.decimal(String(ms / 1000))

/** What the exit of rule R2 is: "average of the last 10 s". */
export const averageText = (t: TFunction, format: Format, exitWindowMs: number): string =>
  t('ticket.average', { seconds: secondsText(format, exitWindowMs) })

/** The length of the window that an order's exit is the mean of; undefined by rule R1. */
export const exitWindowOf = ({ terms }: Pick<Order, 'terms'>): number | undefined =>
  terms.rule === 'R2' ? terms.exitWindowMs : undefined

/** The rule of new orders of a product as the ticket explains it; undefined by rule R1. */
export function averagingOf({
  rule,
  entryDelayMs,
  exitWindowMs,
}: ProductDetail): { entryDelayMs: number; exitWindowMs: number } | undefined {
  if (rule !== 'R2' || entryDelayMs === undefined || exitWindowMs === undefined) return undefined
  return { entryDelayMs, exitWindowMs }
}
