import { languages } from '../../../contract/constants.ts'
import { formatUnits, parseRounded } from '../../../contract/price.ts'
import type { ProductSettings } from '../ports.ts'
import type { ComputedSource, FeedSource } from './feed.ts'
import { Exchanges, type ExchangeSettings } from './live/exchanges.ts'
import { liveSourceOf, sizeDecimalsOf, witnessRowOf } from './live/liveProduct.ts'
import type { PreparedReplay } from './builtReplay.ts'
import { prepareReplay, replaySettingsOf } from './preparedReplay.ts'
import { ProductsError, settlementOf, type ProductRow } from './products.ts'
import { readFirstPrice } from './recordingFile.ts'
import { replaySource } from './replay.ts'
import { syntheticSource } from './synthetic.ts'

/** A product with everything the market needs to run it. */
export type MarketProduct = {
  settings: ProductSettings
  /** Further search words besides its code and names. */
  searchTerms: readonly string[]
  source: FeedSource
}

export type FeedSettings = {
  feed: 'replay' | 'synthetic' | 'live'
  recordingsDir: string
  /** Longest replayed pause, ms; recorded pauses above it are shortened. 0 replays them as recorded. */
  closedPauseMs: number
  /** What `feed: 'live'` needs. */
  live?: ExchangeSettings & { mode: 'practice' | 'live' }
}

/** The synthetic walk of a product whose table row names a recording. */
const defaultSynthetic = { ticksPerSecond: 5, volatility: 0.02 }

/**
 * Opens the sources of a validated product table: recordings from their files, or synthetic walks.
 * @param replays by product: those that another thread has read already; what is missing is read and added
 * @throws ProductsError with one line for each source that cannot be read or replayed
 */
export async function loadProducts(
  rows: readonly ProductRow[],
  settings: FeedSettings,
  replays = new Map<string, PreparedReplay>(),
): Promise<MarketProduct[]> {
  const violations: string[] = []
  const products: MarketProduct[] = []
  const exchanges = settings.live && new Exchanges(settings.live)
  for (const row of rows) {
    try {
      products.push(...(await loadProduct(row, settings, replays, exchanges)))
    } catch (error) {
      violations.push(`product ${row.id}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (violations.length > 0) throw new ProductsError(violations)
  return products
}

async function loadProduct(
  row: ProductRow,
  settings: FeedSettings,
  replays: Map<string, PreparedReplay>,
  exchanges: Exchanges | undefined,
): Promise<MarketProduct[]> {
  return settings.feed === 'live'
    ? loadLiveProduct(row, settings, exchanges)
    : [await loadComputedProduct(row, settings, replays)]
}

async function loadComputedProduct(
  row: ProductRow,
  settings: FeedSettings,
  replays: Map<string, PreparedReplay>,
): Promise<MarketProduct> {
  if ('synthetic' in row.feed) {
    return toMarketProduct(row, row.sizeDecimals ?? 0, createSynthetic(row, row.feed.synthetic))
  }
  const { recording: file } = row.feed
  if (file === undefined) throw new Error('it has an exchange but no recording: start with FEED=live')
  const path = { dir: settings.recordingsDir, file }
  if (settings.feed === 'synthetic') {
    const first = await readFirstPrice(path, row.priceDecimals)
    const start = formatUnits(first, row.priceDecimals)
    return toMarketProduct(
      row,
      row.sizeDecimals ?? 0,
      createSynthetic(row, { ...defaultSynthetic, seed: seedOf(row.id), start }),
    )
  }
  const replay = replaySettingsOf(row.feed, settings.closedPauseMs)
  const decimals = { price: row.priceDecimals, size: row.sizeDecimals }
  const prepared = replays.get(row.id) ?? (await prepareReplay(path, replay, decimals))
  replays.set(row.id, prepared)
  const { scheduled, fingerprint, day, skipped } = prepared
  const label = `recording: ${file.replace(/\.csv\.gz$/, '')} (${day}), looped`
  return toMarketProduct(row, scheduled.sizeDecimals, replaySource(scheduled, fingerprint, label, skipped))
}

/** The product, and its witness if it has one. */
function loadLiveProduct(
  row: ProductRow,
  { live }: FeedSettings,
  exchanges: Exchanges | undefined,
): MarketProduct[] {
  const { feed } = row
  if (!('exchange' in feed)) throw new Error('FEED=live needs an exchange in every row')
  if (!live || !exchanges) throw new Error('FEED=live needs the settings of exchanges')
  const liveRow = { ...row, feed }
  const product = toMarketProduct(row, sizeDecimalsOf(liveRow), liveSourceOf(liveRow, exchanges, live.mode))
  const witnessRow = witnessRowOf(liveRow)
  if (witnessRow === null || feed.witness === undefined) return [product]
  const source = liveSourceOf(witnessRow, exchanges, live.mode)
  const witness = toMarketProduct(witnessRow, sizeDecimalsOf(witnessRow), source)
  return withWitness(product, witness, feed.witness.maxDeviationBp)
}

/** A product and its witness, each of which names the other. The witness takes no orders. */
export function withWitness(
  product: MarketProduct,
  witness: MarketProduct,
  maxDeviationBp: number,
): MarketProduct[] {
  const { id } = product.settings
  return [
    { ...product, settings: { ...product.settings, witness: { id: witness.settings.id, maxDeviationBp } } },
    { ...witness, settings: { ...witness.settings, durations: [], recommended: false, witnessOf: id } },
  ]
}

function toMarketProduct(row: ProductRow, sizeDecimals: number, source: FeedSource): MarketProduct {
  const { id, code, category, priceDecimals, durations, maxTickGapMs, entryTimeoutMs, recommended } = row
  const fallback = row.names.en ?? code
  const names = Object.fromEntries(languages.map((language) => [language, row.names[language] ?? fallback]))
  return {
    settings: {
      id,
      code,
      category,
      names,
      priceDecimals,
      sizeDecimals,
      durations: durations.toSorted((a, b) => a.seconds - b.seconds),
      maxTickGapMs,
      entryTimeoutMs,
      settlement: settlementOf(row, source),
      recommended,
      source: source.label,
    },
    searchTerms: row.search ?? [],
    source,
  }
}

type SyntheticWalk = { seed: number; ticksPerSecond: number; start: number | string; volatility: number }

function createSynthetic(row: ProductRow, { start, ...walk }: SyntheticWalk): ComputedSource {
  const text = typeof start === 'string' ? start : start.toFixed(row.priceDecimals)
  const units = parseRounded(text, row.priceDecimals)
  if (units === undefined || units <= 0) throw new Error(`the synthetic start ${start} is not a price`)
  return syntheticSource({ ...walk, start: units })
}

function seedOf(id: string): number {
  let seed = 7
  for (const letter of id) seed = (Math.imul(seed, 31) + (letter.codePointAt(0) ?? 0)) | 0
  return seed
}
