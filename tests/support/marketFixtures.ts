import { hash } from 'node:crypto'
import {
  noTicks,
  type ComputedFeed,
  type ComputedSource,
  type FeedSource,
  type FeedTradingHours,
} from '../../server/market/feed/feed.ts'
import type { MarketProduct } from '../../server/market/feed/loadProducts.ts'
import { replaySource } from '../../server/market/feed/replay.ts'
import { syntheticSource } from '../../server/market/feed/synthetic.ts'
import { parseRecording, scheduleRecording } from '../../contract/recording.ts'
import { systemRandom } from '../../server/platform/random.ts'
import { createMarket, type MarketParts, type RunningMarket } from '../../server/market/market.ts'
import type { Db } from '../../server/platform/db/database.ts'
import type { ManualClock } from './manualClock.ts'
import { testFence } from './testFence.ts'

export const sha = (text: string): string => hash('sha256', text)

type ProductOf<S extends FeedSource> = MarketProduct & { source: S }

export function productOf<S extends FeedSource>(
  id: string,
  source: S,
  scale: { price?: number; size?: number } = {},
): ProductOf<S> {
  return {
    settings: {
      id,
      code: id,
      category: 'crypto',
      names: { en: id },
      priceDecimals: scale.price ?? 2,
      sizeDecimals: scale.size ?? 0,
      durations: [{ seconds: 60, rateBp: 8500, min: '1.00', max: '999999.00' }],
      maxTickGapMs: 15_000,
      entryTimeoutMs: 10_000,
      settlement: { rule: 'R1' },
      recommended: false,
      source: source.label,
    },
    searchTerms: [],
    source,
  }
}

/** The source of a product that is not live. */
export function computedSourceOf(product: MarketProduct | undefined): ComputedSource {
  if (product?.source.kind !== 'computed') throw new Error('the product has no computed source')
  return product.source
}

/** A synthetic product with this many ticks a second. */
export const syntheticProduct = (id: string, ticksPerSecond: number, seed = 1): ProductOf<ComputedSource> =>
  productOf(id, syntheticSource({ seed, ticksPerSecond, start: 10_000, volatility: 0.5 }))

/** A product whose orders close after so many seconds: until then a market flushes, and a venue runs its jobs. */
export const withSeconds = <P extends MarketProduct>(product: P, seconds: number): P => ({
  ...product,
  settings: {
    ...product.settings,
    durations: [{ seconds, rateBp: 8000, min: '1.00', max: '999999.00' }],
  },
})

/** The CSV of a small recording from rows of (offset ms, price, size). */
export const csvOf = (rows: readonly (readonly [number, string, string])[]): string =>
  [
    'ts_ms,price,size,bid,ask',
    ...rows.map(([at, price, size]) => `${1_600_000_000_000 + at},${price},${size},,`),
  ].join('\n')

/** A product that replays a CSV. */
export function replayedProduct(
  id: string,
  csv: string,
  scale: { price?: number; size?: number } = {},
): ProductOf<ComputedSource> {
  const recording = parseRecording(csv, scale.price ?? 2)
  const scheduled = scheduleRecording(recording, { pauseMs: 600_000, closedPauseMs: 60_000 })
  return productOf(
    id,
    replaySource(scheduled, sha(csv), 'recording: test, looped', recording.skippedRows ?? null),
    {
      price: scale.price ?? 2,
      size: recording.sizeDecimals,
    },
  )
}

/** A feed of exactly these ticks, (at, price, size), without history. */
export function scriptedFeed(
  ticks: readonly (readonly [number, number, number])[],
  tradingHoursAt: (t: number) => FeedTradingHours = () => ({ open: true, opensAt: null, closesAt: null }),
): ComputedSource {
  const feed: ComputedFeed = {
    kind: 'computed',
    due: (after, until) => {
      const due = ticks.filter(([at]) => at > after && at <= until).flat()
      return due.length > 0 ? due : noTicks
    },
    tradingHoursAt,
    openingPrice: 100,
    countAt: (t) => ticks.filter(([at]) => at <= t).length,
    tickOf: (n) => ({ at: ticks[n]![0], price: ticks[n]![1], size: ticks[n]![2] }),
  }
  return {
    kind: 'computed',
    fingerprint: 'listed',
    label: 'listed',
    historyMs: 0,
    skipped: null,
    open: () => feed,
  }
}

/** A market on `db` whose errors fail the test. */
export async function openMarket(
  db: Db,
  clock: ManualClock,
  products: readonly MarketProduct[],
  parts: Partial<MarketParts> = {},
): Promise<RunningMarket> {
  const report = (what: string, error: unknown): never => {
    throw new Error(what, { cause: error })
  }
  return createMarket({
    db,
    fence: testFence,
    clock,
    sha,
    random: systemRandom,
    products,
    tickRetentionMs: 72 * 3_600_000,
    report,
    logLine: () => undefined,
    ...parts,
  })
}
