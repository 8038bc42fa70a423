import { genesis, linkHash, type Head, type WireTick } from '../../contract/chain.ts'
import { priceUnits, epochMs } from '../../contract/units.ts'
import { formatPrice } from '../../contract/price.ts'
import type { Ticker, Source } from '../../contract/products.ts'
import type { Gap, SettleTick } from '../../contract/settle.ts'
import type { FeedStatus } from '../../contract/socket.ts'
import type { RunningMarket } from '../../server/market/market.ts'
import type { Clock } from '../../server/platform/ports.ts'
import type { Flush, ProductSettings, TickBlock, TradingHours } from '../../server/market/ports.ts'

type FakeProduct = {
  settings: ProductSettings
  /** Committed ticks; tick `seq` is at index `seq - 1`. */
  ticks: SettleTick[]
  /** Ticks that no flush has committed yet. */
  due: SettleTick[]
  /** The chain's hashes as far as they were needed, by index like `ticks`. */
  hashes: string[]
  highest: number
  lowest: number
  gaps: Gap[]
  sources: Source[]
  tradingHours: TradingHours
}

export const testProduct: ProductSettings = {
  id: 'TEST',
  code: 'TEST/USD',
  category: 'crypto',
  names: { en: 'Test' },
  priceDecimals: 2,
  sizeDecimals: 0,
  durations: [
    { seconds: 30, rateBp: 8000, min: '1.00', max: '999999.00' },
    { seconds: 60, rateBp: 8500, min: '5.00', max: '5000.00' },
  ],
  maxTickGapMs: 15_000,
  entryTimeoutMs: 10_000,
  settlement: { rule: 'R1' },
  recommended: false,
  source: 'test feed',
}

/** The test product with the default terms of rule R2. */
export const averagedProduct: ProductSettings = {
  ...testProduct,
  settlement: { rule: 'R2', entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 5 },
}

export const testSource: Source = {
  sinceAt: 0,
  fingerprint: 'test',
  epoch: 0,
  text: 'test feed',
}

const open: TradingHours = { status: 'open', opensAt: null, closesAt: null }
/** Until the first tick; in units. */
const openingPrice = 10_000

/**
 * The server's market with ticks from the test instead of a feed: chained and stored in memory, committed by `flush`. It
 * implements the whole port by the contract's rules, so that code under test sees what the venue's own market returns.
 * `fakeWireMarket.ts` is the market as a client sees it.
 */
export function fakeMarket(clock: Pick<Clock, 'now'>, products: readonly ProductSettings[] = [testProduct]) {
  const byId = new Map(products.map((settings) => [settings.id, newProduct(settings)]))
  const ids = [...byId.keys()]
  const flushListeners = new Set<(flush: Flush) => void>()
  const tradingHoursListeners = new Set<(id: string, tradingHours: TradingHours) => void>()
  let watermark = clock.now()
  let status: FeedStatus = 'live'
  const productOf = (id: string): FakeProduct => {
    const product = byId.get(id)
    if (!product) throw new Error(`no product ${id}`)
    return product
  }
  const index = (id: string): number => ids.indexOf(id) + 1
  const publishFlush = (blocks: TickBlock[]): void => {
    for (const listener of flushListeners) listener({ at: watermark, blocks })
  }
  const commit = (id: string): TickBlock | null => {
    const product = productOf(id)
    const { due, ticks } = product
    const ready = due.splice(0, due.findLastIndex((tick) => tick.at <= watermark) + 1)
    for (const tick of ready) {
      ticks.push(tick)
      product.highest = Math.max(product.highest, tick.price)
      product.lowest = Math.min(product.lowest, tick.price)
    }
    const [first] = ready
    const values = ready.flatMap(({ at, price }) => [at, price, 1])
    return first ? { id, ix: index(id), seq0: first.seq, values } : null
  }
  /** Adds a tick, which the next flush at or after its instant commits; price in units. */
  const tick = (at: number, price: number, id = testProduct.id): void => {
    const { ticks, due } = productOf(id)
    due.push({ seq: ticks.length + due.length + 1, at, price: priceUnits(price) })
  }
  /** Commits what is due up to an instant (now by default) and moves the watermark there. */
  const flush = (at = clock.now()): void => {
    watermark = Math.max(watermark, at)
    publishFlush(ids.flatMap((id) => commit(id) ?? []))
  }
  const setTradingHours = (tradingHours: TradingHours, id = testProduct.id): void => {
    productOf(id).tradingHours = tradingHours
    for (const listener of tradingHoursListeners) listener(id, tradingHours)
  }

  const market: RunningMarket = {
    ids,
    settings: (id) => byId.get(id)?.settings,
    searchTerms: () => [],
    index,
    ticker: (id) => tickerOf(productOf(id)),
    tradingHours: (id) => productOf(id).tradingHours,
    head: (id) => headOf(productOf(id), productOf(id).ticks.length),
    watermark: () => watermark,
    flushedAt: () => watermark,
    chain: () => 1,
    lastTickAt: (id) => productOf(id).ticks.at(-1)?.at ?? 0,
    feedStatus: () => status,
    witnessVerdict: () => 'agrees',
    dropped: () => 0,
    failedFlushes: () => 0,
    isThin: () => false,
    spark: async () => [],
    candles: async () => [],
    ticksAfter: async (id, afterSeq, limit) => {
      const product = productOf(id)
      const page = slice(product, product.ticks.slice(afterSeq), limit)
      return { ...page, before: page.before ?? headOf(product, afterSeq) }
    },
    ticksBetween: async (id, from, to, limit) =>
      slice(
        productOf(id),
        productOf(id).ticks.filter((each) => each.at >= from && each.at <= to),
        limit,
      ),
    firstTick: async (id, after, until) =>
      productOf(id).ticks.find((each) => each.at > after && each.at <= until) ?? null,
    lastTick: async (id, until) => productOf(id).ticks.findLast((each) => each.at <= until) ?? null,
    ticksUntil: async (id, after, until, min) => {
      const known = productOf(id).ticks.filter((each) => each.at <= until)
      return known.filter((each, i) => each.at > after || i >= known.length - min)
    },
    gaps: async (id) => productOf(id).gaps.map((gap) => ({ ...gap })),
    sources: (id) => productOf(id).sources,
    onFlush: (listener) => {
      flushListeners.add(listener)
      return () => flushListeners.delete(listener)
    },
    onTradingHours: (listener) => {
      tradingHoursListeners.add(listener)
      return () => tradingHoursListeners.delete(listener)
    },
    setMaintenance: async (id, on, opensAt) =>
      setTradingHours(on ? { status: 'maintenance', opensAt, closesAt: null } : { ...open }, id),
    rereadMaintenance: async () => undefined,
    start: () => undefined,
    stop: async () => undefined,
  }
  return {
    ...market,
    tick,
    flush,
    /** Adds ticks with these prices in units at one instant (now by default), and commits them. */
    flushPrices: (prices: Record<string, readonly number[]>, at = clock.now()) => {
      for (const [id, list] of Object.entries(prices)) for (const price of list) tick(at, price, id)
      flush(at)
    },
    /** Records a gap up to now and drops the ticks within it. */
    recordGap: () => {
      for (const product of byId.values()) {
        product.gaps.push({ from: watermark, to: clock.now() })
        product.due = []
      }
      watermark = clock.now()
      publishFlush([])
    },
    /** Starts another source at the watermark, as a start with other settings does. */
    changeSource: (fingerprint: string, id = testProduct.id) => {
      productOf(id).sources.push({
        sinceAt: watermark,
        fingerprint,
        epoch: watermark,
        text: fingerprint,
      })
    },
    setStatus: (next: FeedStatus) => {
      status = next
    },
    setTradingHours,
    changeSettings: (settings: Partial<ProductSettings>, id = testProduct.id) => {
      productOf(id).settings = { ...productOf(id).settings, ...settings }
    },
    /** How many listeners have not unsubscribed. */
    listeners: () => flushListeners.size + tradingHoursListeners.size,
  }
}
export type FakeMarket = ReturnType<typeof fakeMarket>

const newProduct = (settings: ProductSettings): FakeProduct => ({
  settings,
  ticks: [],
  due: [],
  hashes: [],
  highest: Number.NEGATIVE_INFINITY,
  lowest: Number.POSITIVE_INFINITY,
  gaps: [],
  sources: [{ ...testSource }],
  tradingHours: { ...open },
})

const priceText = ({ settings }: FakeProduct, units: number): string =>
  formatPrice(priceUnits(units), settings.priceDecimals)

const wireTickOf = (product: FakeProduct, { seq, at, price }: SettleTick): WireTick => [
  seq,
  at,
  priceText(product, price),
  '1',
]

/** Hashes as far as needed: most tests read no head, and some have a hundred thousand ticks. */
function headOf(product: FakeProduct, seq: number): Head {
  const { ticks, hashes, settings } = product
  for (const tick of ticks.slice(hashes.length, seq)) {
    const before = hashes.at(-1) ?? genesis(settings.id).hash
    hashes.push(linkHash(before, settings.id, wireTickOf(product, tick)))
  }
  return { seq, hash: hashes[seq - 1] ?? genesis(settings.id).hash }
}

function slice(product: FakeProduct, ticks: readonly SettleTick[], limit: number) {
  const page = ticks.slice(0, limit)
  return {
    ticks: page.map((tick) => wireTickOf(product, tick)),
    complete: ticks.length <= limit,
    before: page[0] ? headOf(product, page[0].seq - 1) : null,
  }
}

function tickerOf(product: FakeProduct): Ticker {
  const { settings, ticks, tradingHours, highest, lowest } = product
  const last = ticks.at(-1)
  return {
    id: settings.id,
    last: priceText(product, last?.price ?? openingPrice),
    lastAt: epochMs(last?.at ?? 0),
    change24hBp: 0,
    high24h: priceText(product, last ? highest : openingPrice),
    low24h: priceText(product, last ? lowest : openingPrice),
    volume24h: String(ticks.length),
    amount24h: '0.00',
    status: tradingHours.status,
    opensAt: epochMs(tradingHours.opensAt),
    closesAt: epochMs(tradingHours.closesAt),
  }
}
