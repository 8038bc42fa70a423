import { genesis, link } from '../../contract/chain.ts'
import type { Head, WireTick } from '../../contract/chain.ts'
import { priceUnits } from '../../contract/brand.ts'
import { formatPrice } from '../../contract/price.ts'
import type { Figures, Source } from '../../contract/products.ts'
import type { Gap, SettleTick } from '../../contract/settle.ts'
import type { FeedStatus } from '../../contract/socket.ts'
import type { Clock, Flush, Market, ProductSettings, Session } from '../../server/ports.ts'

type Kept = SettleTick & { wire: WireTick; hash: string }
type Book = {
  settings: ProductSettings
  ticks: Kept[]
  due: SettleTick[]
  seq: number
  gaps: Gap[]
  sources: Source[]
  session: Session
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
 * A market whose ticks a test makes by hand: chained and kept in memory, committed by `flush`. It implements the whole
 * port by the contract's rules, so that what is tested against it sees what the venue's own market shows.
 */
export function testMarket(clock: Pick<Clock, 'now'>, products: readonly ProductSettings[] = [testProduct]) {
  const open: Session = { status: 'open', opensAt: null, closesAt: null }
  const books = new Map<string, Book>(
    products.map((settings) => [
      settings.id,
      { settings, ticks: [], due: [], seq: 0, gaps: [], sources: [{ ...testSource }], session: { ...open } },
    ]),
  )
  const listeners = new Set<(flush: Flush) => void>()
  const sessionListeners = new Set<(id: string, session: Session) => void>()
  let watermark = clock.now()
  let status: FeedStatus = 'live'
  const book = (id: string): Book => {
    const found = books.get(id)
    if (!found) throw new Error(`no product ${id}`)
    return found
  }
  const headOf = (id: string, seq: number): Head => {
    const kept = book(id).ticks.find((tick) => tick.seq === seq)
    return kept ? { seq, hash: kept.hash } : genesis(id)
  }
  const slice = (id: string, ticks: Kept[], limit: number) => {
    const given = ticks.slice(0, limit)
    const before = given[0] ? headOf(id, given[0].seq - 1) : null
    return { ticks: given.map((tick) => tick.wire), complete: ticks.length <= limit, before }
  }
  const commit = (id: string): Flush['blocks'][number] | null => {
    const { settings, ticks, due } = book(id)
    const ready = due.splice(0, due.findLastIndex((tick) => tick.at <= watermark) + 1)
    for (const tick of ready) {
      const wire: WireTick = [
        tick.seq,
        tick.at,
        formatPrice(priceUnits(tick.price), settings.priceDecimals),
        '1',
      ]
      ticks.push({ ...tick, wire, hash: link(headOf(id, tick.seq - 1).hash, id, wire) })
    }
    const [first] = ready
    const values = ready.flatMap(({ at, price }) => [at, price, 1])
    return first ? { id, ix: [...books.keys()].indexOf(id), seq0: first.seq, values } : null
  }

  const market: Market = {
    ids: [...books.keys()],
    settings: (id) => books.get(id)?.settings,
    index: (id) => [...books.keys()].indexOf(id),
    figures: (id) => figuresOf(book(id)),
    session: (id) => book(id).session,
    head: (id) => headOf(id, book(id).ticks.length),
    watermark: () => watermark,
    lastTickAt: (id) => book(id).ticks.at(-1)?.at ?? 0,
    feedStatus: () => status,
    spark: async () => [],
    candles: async () => [],
    ticksAfter: async (id, afterSeq, limit) => {
      const found = slice(
        id,
        book(id).ticks.filter((tick) => tick.seq > afterSeq),
        limit,
      )
      return { ...found, before: found.before ?? headOf(id, afterSeq) }
    },
    ticksBetween: async (id, from, to, limit) =>
      slice(
        id,
        book(id).ticks.filter((tick) => tick.at >= from && tick.at <= to),
        limit,
      ),
    firstTick: async (id, after, until) =>
      bare(book(id).ticks.find((tick) => tick.at > after && tick.at <= until)),
    lastTick: async (id, until) => bare(book(id).ticks.findLast((tick) => tick.at <= until)),
    gaps: async (id) => book(id).gaps.map((gap) => ({ ...gap })),
    sources: (id) => book(id).sources,
    onFlush: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onSession: (listener) => {
      sessionListeners.add(listener)
      return () => sessionListeners.delete(listener)
    },
    setMaintenance: async (id, on, opensAt) => {
      book(id).session = on ? { status: 'maintenance', opensAt, closesAt: null } : { ...open }
      for (const listener of sessionListeners) listener(id, book(id).session)
    },
  }
  return {
    ...market,
    /** A tick to be committed by the next flush that reaches it; price in units. */
    tick: (at: number, price: number, id = testProduct.id) => {
      const owner = book(id)
      owner.seq += 1
      owner.due.push({ seq: owner.seq, at, price })
    },
    /** Commits what is due up to an instant (now, where it is left out) and moves the watermark there. */
    flush: (at = clock.now()) => {
      watermark = Math.max(watermark, at)
      const blocks = [...books.keys()].flatMap((id) => commit(id) ?? [])
      for (const listener of listeners) listener({ at: watermark, blocks })
    },
    /** The feed was not up until now: a gap, and nothing of it is kept. */
    resume: () => {
      for (const owner of books.values()) {
        owner.gaps.push({ from: watermark, to: clock.now() })
        owner.seq -= owner.due.length
        owner.due = []
      }
      watermark = clock.now()
      for (const listener of listeners) listener({ at: watermark, blocks: [] })
    },
    /** Another source from the watermark on, as a start with other settings makes it. */
    changeSource: (fingerprint: string, id = testProduct.id) => {
      book(id).sources.push({ sinceAt: watermark, fingerprint, epoch: watermark, text: fingerprint })
    },
    setStatus: (next: FeedStatus) => {
      status = next
    },
    setSession: (session: Session, id = testProduct.id) => {
      book(id).session = session
    },
    change: (settings: Partial<ProductSettings>, id = testProduct.id) => {
      book(id).settings = { ...book(id).settings, ...settings }
    },
  }
}
export type TestMarket = ReturnType<typeof testMarket>

const bare = (tick: Kept | undefined): SettleTick | null =>
  tick ? { seq: tick.seq, at: tick.at, price: tick.price } : null

function figuresOf({ settings, ticks, session }: Book): Figures {
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
    ...session,
  }
}
