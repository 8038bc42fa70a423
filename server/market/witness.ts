import type { WitnessRejection } from '../../contract/socket.ts'

/** A price of a tick, in units, and its instant: it applies until the next one. */
export type PriceStep = { readonly at: number; readonly price: number }

/** How a product's prices compare with its second source. Only `agrees` lets new orders in. */
export type WitnessVerdict = 'agrees' | WitnessRejection

/** New orders are rejected while prices have differed for this long, ms. */
export const deviationMs = 2000
/** A witness without a tick for this long is silent, ms. */
export const silenceMs = 30_000

/** The logged prices of a product and of its witness, each ascending by instant. */
export type Comparison = {
  readonly product: readonly PriceStep[]
  readonly witness: readonly PriceStep[]
  readonly maxDeviationBp: number
}

/** How far the two logs are complete. */
export type ComparedUntil = {
  /** The lower of the two watermarks. */
  watermark: number
  /** The instant of the newest flush. */
  flushedAt: number
}

/**
 * Compares logged ticks only, so every node with the same log comes to the same verdict. The prices are compared up to
 * the instant to which both logs are complete; what one of them has after it counts once the other has arrived there too.
 */
export function compareWitness(
  comparison: Comparison,
  { watermark, flushedAt }: ComparedUntil,
): WitnessVerdict {
  const heardAt = comparison.witness.at(-1)?.at
  if (heardAt === undefined || flushedAt - heardAt >= silenceMs) return 'silent'
  const since = deviatingSince(comparison, watermark)
  return since !== null && watermark - since >= deviationMs ? 'deviates' : 'agrees'
}

/**
 * Since when the two prices differ by more than allowed, without interruption up to `until`; null if they do not. Of
 * several ticks at one instant the last one counts. Before both have a price they do not differ.
 */
export function deviatingSince(
  { product, witness, maxDeviationBp }: Comparison,
  until: number,
): number | null {
  let since: number | null = null
  let [i, j] = [0, 0]
  for (;;) {
    const at = Math.min(product[i]?.at ?? Infinity, witness[j]?.at ?? Infinity)
    if (at > until || at === Infinity) return since
    while (product[i]?.at === at) i++
    while (witness[j]?.at === at) j++
    const [own, other] = [product[i - 1], witness[j - 1]]
    const differs =
      own !== undefined && other !== undefined && deviates(own.price, other.price, maxDeviationBp)
    since = differs ? (since ?? at) : null
  }
}

/** Whether two prices differ by more than this many basis points of the witness's price. Integers: nothing is rounded. */
export const deviates = (price: number, witness: number, maxDeviationBp: number): boolean =>
  BigInt(Math.abs(price - witness)) * 10_000n > BigInt(maxDeviationBp) * BigInt(witness)

/** The steps that a verdict at or after these instants can need. */
export function stepsToKeep(
  steps: readonly PriceStep[],
  { watermark, flushedAt }: ComparedUntil,
): readonly PriceStep[] {
  // While a watermark does not move, orders are rejected anyway, so the steps after it need not be kept.
  const from = Math.max(watermark, flushedAt - silenceMs) - deviationMs
  const first = steps.findLastIndex(({ at }) => at <= from)
  return first <= 0 ? steps : steps.slice(first)
}
