import { moneyOf } from '../../contract/money.ts'
import type { Source } from '../../contract/products.ts'
import { otherSource } from '../../contract/settle.ts'
import type { CompleteProof } from './completeProof.ts'

export type SourceCheck =
  /** One source all the time; `changedAt`: another one from then on, and the stake was refunded. */
  | { ok: true; source: Source; changedAt: number | null }
  /** The venue states no source for the time of the order's acceptance. */
  | { ok: false; why: 'none' }
  /** The proof states another source than the order's terms. */
  | { ok: false; why: 'terms'; stated: string; terms: string }
  /** The sources do not follow one another: this one does not begin later than the one before it. */
  | { ok: false; why: 'sequence'; sinceAt: number }
  /** Prices of two sources, but no refund. */
  | { ok: false; why: 'other'; changedAt: number }

/** Whether the order's own source set its prices from `acceptedAt` to `closeAt`. */
export function checkSource({ order, source, sources }: CompleteProof): SourceCheck {
  const { terms, acceptedAt, closeAt, amount, direction } = order
  const [first] = sources
  if (first === undefined || first.sinceAt > acceptedAt) return { ok: false, why: 'none' }
  if (source !== terms.source) return { ok: false, why: 'terms', stated: source, terms: terms.source }
  const unordered = sources.find(({ sinceAt }, i) => i > 0 && sinceAt <= (sources[i - 1]?.sinceAt ?? 0))
  if (unordered) return { ok: false, why: 'sequence', sinceAt: unordered.sinceAt }
  const settleOrder = { direction, amount: moneyOf(amount), acceptedAt, closeAt }
  const other = otherSource(terms, settleOrder, sources)
  if (other === undefined) return { ok: true, source: first, changedAt: null }
  const changedAt = Math.max(other.sinceAt, acceptedAt)
  const wasRefunded = order.status === 'refunded' && order.reason === 'SOURCE_CHANGED'
  return wasRefunded ? { ok: true, source: first, changedAt } : { ok: false, why: 'other', changedAt }
}
