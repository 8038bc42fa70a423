import type { Gap, SettleOrder, SettleSource, Terms } from './types.ts'

/** A gap overlaps (a, b] exactly if from < b and it has not ended, or ended after a. */
export const overlaps = (gap: Gap, a: number, b: number): boolean =>
  gap.from < b && (gap.to === null || gap.to > a)

/**
 * The first source other than the order's own that set prices between `acceptedAt` and `closeAt`; undefined if none did.
 * `sources` ascend in `sinceAt`.
 */
export function otherSource(
  terms: Pick<Terms, 'source'>,
  { acceptedAt, closeAt }: Pick<SettleOrder, 'acceptedAt' | 'closeAt'>,
  sources: readonly SettleSource[],
): SettleSource | undefined {
  return sources.find(
    ({ sinceAt, fingerprint }, i) =>
      fingerprint !== terms.source &&
      overlaps({ from: sinceAt, to: sources[i + 1]?.sinceAt ?? null }, acceptedAt, closeAt),
  )
}

/** The order with `closeAt` moved to the change of its source, if there was one: only ticks up to it count. */
export function onOwnSource(
  terms: Pick<Terms, 'source'>,
  order: SettleOrder,
  sources: readonly SettleSource[],
): SettleOrder {
  const other = otherSource(terms, order, sources)
  return other ? { ...order, closeAt: Math.max(other.sinceAt, order.acceptedAt) } : order
}
