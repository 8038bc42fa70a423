import { createHash } from 'node:crypto'
import { formatUnits } from '../../contract/price.ts'
import type { Flush, Market, TickBlock, ProductSettings, TradingHours } from '../../server/ports.ts'

const open: TradingHours = { status: 'open', opensAt: null, closesAt: null }

export type FakeVenueMarket = Market & {
  /** Commits ticks of products at `at` and notifies the listeners: each value is a price in units, its size 1. */
  flush(at: number, ticks: Record<string, readonly number[]>): void
  setTradingHours(id: string, hours: TradingHours): void
  listeners(): number
}

/** A market for the realtime module, driven by the test: two price decimals, everything open. */
export function fakeVenueMarket(ids: readonly string[], start = 0): FakeVenueMarket {
  const heads = new Map(ids.map((id) => [id, { seq: 0, hash: sha(id) }]))
  const prices = new Map(ids.map((id) => [id, 10_000]))
  const tickedAt = new Map(ids.map((id) => [id, start]))
  const tradingHours = new Map<string, TradingHours>()
  const onFlush = new Set<(flush: Flush) => void>()
  const onTradingHours = new Set<(id: string, hours: TradingHours) => void>()
  let watermark = start
  const valueOf = <T>(map: ReadonlyMap<string, T>, id: string): T => {
    const value = map.get(id)
    if (value === undefined) throw new Error(`no product ${id}`)
    return value
  }
  const listen = <T>(set: Set<T>, listener: T): (() => void) => {
    set.add(listener)
    return () => void set.delete(listener)
  }
  const index = (id: string): number => ids.indexOf(id) + 1
  return {
    ids,
    settings: (id) => (ids.includes(id) ? settingsOf(id) : undefined),
    index,
    ticker: (id) => {
      const price = formatUnits(valueOf(prices, id), 2)
      const range = { high24h: price, low24h: price, volume24h: '0', amount24h: '0.00' }
      return {
        id,
        last: price,
        lastAt: valueOf(tickedAt, id),
        change24hBp: 0,
        ...range,
        ...(tradingHours.get(id) ?? open),
      }
    },
    tradingHours: (id) => tradingHours.get(id) ?? open,
    head: (id) => ({ ...valueOf(heads, id) }),
    watermark: () => watermark,
    lastTickAt: (id) => valueOf(tickedAt, id),
    feedStatus: () => 'live',
    spark: async () => [],
    candles: async () => [],
    ticksAfter: async () => ({ ticks: [], complete: true, before: null }),
    ticksBetween: async () => ({ ticks: [], complete: true, before: null }),
    firstTick: async () => null,
    lastTick: async () => null,
    gaps: async () => [],
    sources: () => [],
    onFlush: (listener) => listen(onFlush, listener),
    onTradingHours: (listener) => listen(onTradingHours, listener),
    setMaintenance: async () => undefined,
    flush: (at, ticks) => {
      watermark = at
      const blocks = Object.entries(ticks).map(([id, units]): TickBlock => {
        const seq0 = valueOf(heads, id).seq + 1
        heads.set(id, { seq: seq0 + units.length - 1, hash: sha(`${id}${seq0}`) })
        prices.set(id, units.at(-1) ?? valueOf(prices, id))
        tickedAt.set(id, at)
        return { id, ix: index(id), seq0, values: units.flatMap((price) => [at, price, 1]) }
      })
      for (const listener of onFlush) listener({ at, blocks })
    },
    setTradingHours: (id, hours) => {
      tradingHours.set(id, hours)
      for (const listener of onTradingHours) listener(id, hours)
    },
    listeners: () => onFlush.size + onTradingHours.size,
  }
}

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

function settingsOf(id: string): ProductSettings {
  return {
    id,
    code: id,
    category: 'crypto',
    names: { en: id },
    priceDecimals: 2,
    sizeDecimals: 0,
    durations: [{ seconds: 30, rateBp: 8500, min: '1.00', max: '999999.00' }],
    maxTickGapMs: 15_000,
    entryTimeoutMs: 10_000,
    recommended: false,
    source: 'test',
  }
}
