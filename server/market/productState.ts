import type { Source } from '../../contract/products.ts'
import type { Gap } from '../../contract/settle.ts'
import type { ComputedFeed, Feed } from './feed/feed.ts'
import { ApiError } from '../platform/apiError.ts'
import type { ProductSettings } from './ports.ts'
import type { MinuteBuckets } from './candles/minuteBuckets.ts'
import type { Tail } from './log/tail.ts'

/** The time before the first start for which a computed feed can compute ticks; they end at `firstAt` with seq 0. */
export type SeedHistory = { feed: ComputedFeed; from: number; firstAt: number }

/** The market's state of one product in memory. Everything in it is committed. */
export type ProductState = {
  /** The product's number in frames and rows. */
  readonly ix: number
  readonly settings: ProductSettings
  readonly searchTerms: readonly string[]
  readonly feed: Feed
  /** Ticks at or before this instant are not logged: the source started then, or a gap ends there. */
  readonly dueFrom: number
  /**
   * The watermark of a product with a live feed: every instant up to here is covered or in a gap. It is ahead of the newest
   * flush while the log catches up with a downtime, which is a gap from the start on. The watermark of a computed product
   * is the instant of the newest flush: read either by {@link watermarkOf}.
   */
  coveredUntil: number
  /** Null if the source has changed since the product's first start, or cannot compute history. */
  readonly seedHistory: SeedHistory | null
  readonly tail: Tail
  readonly buckets: MinuteBuckets
  /** The newest price, logged or computed; the feed's opening price if there is none, 0 while that is not known. */
  last: { at: number; price: number }
  gaps: Gap[]
  /** Every source the product ever had, oldest first; the last one is `feed`. */
  readonly sources: readonly Source[]
  maintenance: { opensAt: number | null } | null
}

/**
 * The product's watermark: every tick of it up to here is committed, and none will be added.
 * @param flushedAt the instant of the newest flush
 */
export const watermarkOf = (
  { feed, coveredUntil }: Pick<ProductState, 'feed' | 'coveredUntil'>,
  flushedAt: number,
): number => (feed.kind === 'live' ? coveredUntil : flushedAt)

/** @throws ApiError `NOT_FOUND` if the product is not in the table */
export function requireProductState(byId: ReadonlyMap<string, ProductState>, id: string): ProductState {
  const state = byId.get(id)
  if (!state) throw new ApiError('NOT_FOUND')
  return state
}
