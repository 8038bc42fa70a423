import type { Source } from '../../contract/products.ts'
import type { Gap } from '../../contract/settle.ts'
import type { Feed } from '../feed/feed.ts'
import { Refusal } from '../http/refusal.ts'
import type { ProductSettings } from '../ports.ts'
import type { MinuteBuckets } from './minute-buckets.ts'
import type { Tail } from './tail.ts'

/** How far back the feed can compute ticks that nobody saw: they end at `firstAt` with seq 0. */
export type Backfill = { from: number; firstAt: number }

/** What the market keeps in memory of one product. Everything in it is committed. */
export type Book = {
  /** The product's number in frames and rows. */
  readonly ix: number
  readonly settings: ProductSettings
  readonly search: readonly string[]
  readonly feed: Feed
  /** Ticks at or before this instant are not logged: the source started then, or a gap reaches up to it. */
  readonly dueFrom: number
  /** Null where the source changed since the product's first start, or has no past. */
  readonly backfill: Backfill | null
  readonly tail: Tail
  readonly buckets: MinuteBuckets
  /** The newest price, logged or computed; the feed's opening price while there is none. */
  last: { at: number; price: number }
  gaps: Gap[]
  /** Every source the product ever had, oldest first; the last one is `feed`. */
  readonly sources: readonly Source[]
  maintenance: { opensAt: number | null } | null
}

/** @throws Refusal 404 for a product that is not in the table */
export function bookOf(byId: ReadonlyMap<string, Book>, id: string): Book {
  const book = byId.get(id)
  if (!book) throw new Refusal(404, 'NOT_FOUND')
  return book
}
