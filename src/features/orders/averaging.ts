import type { TFunction } from 'i18next'
import type { Order, ProductDetail } from '../../../streams/index.ts'
import type { Format } from '../../text/format.ts'

/** Milliseconds as seconds in the member's digits: 10, 0.5. */
export const secondsText = (format: Format, ms: number): string => format.decimal(String(ms / 1000))

/** What the exit of rule R2 is: "average of the last 10 s". */
export const averageText = (t: TFunction, format: Format, exitWindowMs: number): string =>
  t('ticket.average', { seconds: secondsText(format, exitWindowMs) })

/**
 * The exit of a closed order of rule R2. `kept` of `all` ticks of the window count; they are equal if none was left out.
 * Undefined for an exit that is one tick.
 */
export function keptTicksOf(exit: Order['exit']): { kept: number; all: number } | undefined {
  if (exit === null || !('ticks' in exit)) return undefined
  // A product's ticks are numbered without holes, and `from` and `to` are the window's first and last.
  return { kept: exit.ticks, all: exit.to - exit.from + 1 }
}

/** What the exit of an order by rule R2 is; once it is known, with how many ticks were left out. */
export function orderAverageText(t: TFunction, format: Format, { terms, exit }: Order): string | undefined {
  if (terms.rule !== 'R2') return undefined
  const counts = keptTicksOf(exit)
  if (counts === undefined || counts.kept === counts.all) return averageText(t, format, terms.exitWindowMs)
  return t('ticket.averageTrimmed', {
    seconds: secondsText(format, terms.exitWindowMs),
    cut: format.rate(terms.exitCutBp),
    kept: format.decimal(String(counts.kept)),
    all: format.decimal(String(counts.all)),
  })
}

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
