import { genesis, linkHash } from '../../contract/chain.ts'
import type { Head, WireTick } from '../../contract/chain.ts'
import { priceUnits } from '../../contract/brand.ts'
import { formatPrice } from '../../contract/price.ts'
import type { Ticker, Source } from '../../contract/products.ts'
import type { Gap, SettleTick } from '../../contract/settle.ts'
import type { FeedStatus } from '../../contract/socket.ts'
import type { Clock, Flush, Market, ProductSettings, TradingHours } from '../../server/ports.ts'

type CommittedTick = SettleTick & { wire: WireTick; hash: string }
type ProductState = {
  settings: ProductSettings
  ticks: CommittedTick[]
  due: SettleTick[]
  seq: number
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
  recommended: false,
  source: 'test feed',
}

export const testSource: Source = { sinceAt: 0, fingerprint: 'test', epoch: 0, text: 'test feed' }

/**
 * A market whose ticks come from the test: chained and stored in memory, committed by `flush`. It implements the whole
 * port by the contract's rules, so that code under test sees what the venue's own market returns.
 */
export function testMarket(clock: Pick<Clock, 'now'>, products: readonly ProductSettings[] = [testProduct]) {
  const open: TradingHours = { status: 'open', opensAt: null, closesAt: null }
  const productStates = new Map<string, ProductState>(
    products.map((settings) => [
      settings.id,
      {
        settings,
        ticks: [],
        due: [],
        seq: 0,
        gaps: [],
        sources: [{ ...testSource }],
        tradingHours: { ...open },
      },
    ]),
  )
  const listeners = new Set<(flush: Flush) => void>()
  const tradingHoursListeners = new Set<(id: string, tradingHours: TradingHours) => void>()
  let watermark = clock.now()
  let status: FeedStatus = 'live'
  const stateOf = (id: string): ProductState => {
    const state = productStates.get(id)
    if (!state) throw new Error(`no product ${id}`)
    return state
  }
  const headOf = (id: string, seq: number): Head => {
    const tick = stateOf(id).ticks.find((tick) => tick.seq === seq)
    return tick ? { seq, hash: tick.hash } : genesis(id)
  }
  const slice = (id: string, ticks: CommittedTick[], limit: number) => {
    const page = ticks.slice(0, limit)
    const before = page[0] ? headOf(id, page[0].seq - 1) : null
    return { ticks: page.map((tick) => tick.wire), complete: ticks.length <= limit, before }
  }
  const commit = (id: string): Flush['blocks'][number] | null => {
    const { settings, ticks, due } = stateOf(id)
    const ready = due.splice(0, due.findLastIndex((tick) => tick.at <= watermark) + 1)
    for (const tick of ready) {
      const wire: WireTick = [
        tick.seq,
        tick.at,
        formatPrice(priceUnits(tick.price), settings.priceDecimals),
        '1',
      ]
      ticks.push({ ...tick, wire, hash: linkHash(headOf(id, tick.seq - 1).hash, id, wire) })
    }
    const [first] = ready
    const values = ready.flatMap(({ at, price }) => [at, price, 1])
    return first ? { id, ix: [...productStates.keys()].indexOf(id), seq0: first.seq, values } : null
  }

  const market: Market = {
    ids: [...productStates.keys()],
    settings: (id) => productStates.get(id)?.settings,
    index: (id) => [...productStates.keys()].indexOf(id),
    ticker: (id) => tickerOf(stateOf(id)),
    tradingHours: (id) => stateOf(id).tradingHours,
    head: (id) => headOf(id, stateOf(id).ticks.length),
    watermark: () => watermark,
    lastTickAt: (id) => stateOf(id).ticks.at(-1)?.at ?? 0,
    feedStatus: () => status,
    spark: async () => [],
    candles: async () => [],
    ticksAfter: async (id, afterSeq, limit) => {
      const page = slice(
        id,
        stateOf(id).ticks.filter((tick) => tick.seq > afterSeq),
        limit,
      )
      return { ...page, before: page.before ?? headOf(id, afterSeq) }
    },
    ticksBetween: async (id, from, to, limit) =>
      slice(
        id,
        stateOf(id).ticks.filter((tick) => tick.at >= from && tick.at <= to),
        limit,
      ),
    firstTick: async (id, after, until) =>
      toSettleTick(stateOf(id).ticks.find((tick) => tick.at > after && tick.at <= until)),
    lastTick: async (id, until) => toSettleTick(stateOf(id).ticks.findLast((tick) => tick.at <= until)),
    gaps: async (id) => stateOf(id).gaps.map((gap) => ({ ...gap })),
    sources: (id) => stateOf(id).sources,
    onFlush: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onTradingHours: (listener) => {
      tradingHoursListeners.add(listener)
      return () => tradingHoursListeners.delete(listener)
    },
    setMaintenance: async (id, on, opensAt) => {
      stateOf(id).tradingHours = on ? { status: 'maintenance', opensAt, closesAt: null } : { ...open }
      for (const listener of tradingHoursListeners) listener(id, stateOf(id).tradingHours)
    },
  }
  return {
    ...market,
    /** Adds a tick, which the next flush at or after its instant commits; price in units. */
    tick: (at: number, price: number, id = testProduct.id) => {
      const state = stateOf(id)
      state.seq += 1
      state.due.push({ seq: state.seq, at, price })
    },
    /** Commits what is due up to an instant (now by default) and moves the watermark there. */
    flush: (at = clock.now()) => {
      watermark = Math.max(watermark, at)
      const blocks = [...productStates.keys()].flatMap((id) => commit(id) ?? [])
      for (const listener of listeners) listener({ at: watermark, blocks })
    },
    /** Records a gap up to now and drops the ticks within it. */
    recordGap: () => {
      for (const state of productStates.values()) {
        state.gaps.push({ from: watermark, to: clock.now() })
        state.seq -= state.due.length
        state.due = []
      }
      watermark = clock.now()
      for (const listener of listeners) listener({ at: watermark, blocks: [] })
    },
    /** Starts another source at the watermark, as a start with other settings does. */
    changeSource: (fingerprint: string, id = testProduct.id) => {
      stateOf(id).sources.push({ sinceAt: watermark, fingerprint, epoch: watermark, text: fingerprint })
    },
    setStatus: (next: FeedStatus) => {
      status = next
    },
    setTradingHours: (tradingHours: TradingHours, id = testProduct.id) => {
      stateOf(id).tradingHours = tradingHours
    },
    changeSettings: (settings: Partial<ProductSettings>, id = testProduct.id) => {
      stateOf(id).settings = { ...stateOf(id).settings, ...settings }
    },
  }
}
export type TestMarket = ReturnType<typeof testMarket>

const toSettleTick = (tick: CommittedTick | undefined): SettleTick | null =>
  tick ? { seq: tick.seq, at: tick.at, price: tick.price } : null

function tickerOf({ settings, ticks, tradingHours }: ProductState): Ticker {
  const prices = ticks.map((tick) => tick.price)
  const text = (units: number): string => formatPrice(priceUnits(units), settings.priceDecimals)
  return {
    id: settings.id,
    last: text(prices.at(-1) ?? 0),
    lastAt: ticks.at(-1)?.at ?? 0,
    change24hBp: 0,
    high24h: text(Math.max(0, ...prices)),
    low24h: text(prices.length > 0 ? Math.min(...prices) : 0),
    volume24h: String(ticks.length),
    amount24h: '0.00',
    ...tradingHours,
  }
}
