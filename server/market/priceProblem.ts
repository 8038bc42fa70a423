import type { Market, ProductSettings } from '../ports.ts'

/** Why the prices of an open product let no new orders in: they are late, or its second source does not confirm them. */
export type PriceProblem = 'late' | 'witness'

/** @returns null if new orders may rely on the product's prices at `now` */
export function priceProblemOf(
  market: Pick<Market, 'lastTickAt' | 'feedStatus' | 'witnessVerdict'>,
  { id, maxTickGapMs }: Pick<ProductSettings, 'id' | 'maxTickGapMs'>,
  now: number,
): PriceProblem | null {
  if (now - market.lastTickAt(id) > maxTickGapMs || market.feedStatus(id) !== 'live') return 'late'
  return market.witnessVerdict(id) === 'agrees' ? null : 'witness'
}
