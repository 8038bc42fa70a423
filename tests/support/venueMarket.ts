import { createHash } from 'node:crypto'
import { formatUnits } from '../../contract/price.ts'
import type { Flush, Market, MarketBlock, ProductSettings, Session } from '../../server/ports.ts'

const open: Session = { status: 'open', opensAt: null, closesAt: null }

export type HandVenueMarket = Market & {
  /** Commits ticks of products at `at` and tells the listeners: each value is a price in units, its size 1. */
  flush(at: number, ticks: Record<string, readonly number[]>): void
  setSession(id: string, session: Session): void
  listeners(): number
}

/** The market as the venue's shell sees it, moved by hand: two price decimals, everything open. */
export function handVenueMarket(ids: readonly string[], start = 0): HandVenueMarket {
  const heads = new Map(ids.map((id) => [id, { seq: 0, hash: sha(id) }]))
  const prices = new Map(ids.map((id) => [id, 10_000]))
  const tickedAt = new Map(ids.map((id) => [id, start]))
  const sessions = new Map<string, Session>()
  const onFlush = new Set<(flush: Flush) => void>()
  const onSession = new Set<(id: string, session: Session) => void>()
  let watermark = start
  const of = <T>(map: ReadonlyMap<string, T>, id: string): T => {
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
    figures: (id) => {
      const price = formatUnits(of(prices, id), 2)
      const range = { high24h: price, low24h: price, volume24h: '0', amount24h: '0.00' }
      return {
        id,
        last: price,
        lastAt: of(tickedAt, id),
        change24hBp: 0,
        ...range,
        ...(sessions.get(id) ?? open),
      }
    },
    session: (id) => sessions.get(id) ?? open,
    head: (id) => ({ ...of(heads, id) }),
    watermark: () => watermark,
    lastTickAt: (id) => of(tickedAt, id),
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
    onSession: (listener) => listen(onSession, listener),
    setMaintenance: async () => undefined,
    flush: (at, ticks) => {
      watermark = at
      const blocks = Object.entries(ticks).map(([id, units]): MarketBlock => {
        const seq0 = of(heads, id).seq + 1
        heads.set(id, { seq: seq0 + units.length - 1, hash: sha(`${id}${seq0}`) })
        prices.set(id, units.at(-1) ?? of(prices, id))
        tickedAt.set(id, at)
        return { id, ix: index(id), seq0, values: units.flatMap((price) => [at, price, 1]) }
      })
      for (const listener of onFlush) listener({ at, blocks })
    },
    setSession: (id, session) => {
      sessions.set(id, session)
      for (const listener of onSession) listener(id, session)
    },
    listeners: () => onFlush.size + onSession.size,
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
