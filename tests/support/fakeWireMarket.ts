import { priceUnits, sizeUnits, epochMs } from '../../contract/units.ts'
import { formatUnits } from '../../contract/price.ts'
import type { Ticker, ProductDetail, TicksAnswer } from '../../contract/products.ts'
import { encodeDelta } from '../../contract/tickFrame.ts'
import type { Api, Failure, Tick, TicksQuery } from '../../streams/index.ts'
import type { FakeWire } from './fakeWire.ts'

export const zeroHash = '0'.repeat(64)
export const pageSize = 5000

export type FakeWireMarket = {
  /** Every tick of every product since the start: what a client should receive. */
  log: Map<string, Tick[]>
  now: number
  /** Adds a tick at `now`; it is sent by the next flush. */
  tick: (id: string, price: number, size?: number) => Tick
  /** Sends the ticks that subscribers do not have yet; `lost` marks them as sent without sending. */
  flush: (how?: 'sent' | 'lost' | 'twice') => void
  /** Sends the heartbeat of the second. */
  heartbeat: (status?: 'live' | 'stale' | 'down', ids?: string[]) => void
  ticker: (id: string) => Ticker
  api: Api
  /** REST requests, by name. */
  requests: string[]
  /** While set, REST requests fail with this. */
  failure: Failure | undefined
  prunedBelow: number
}

export const apiFailure = (status: number, code: string, at = 0): Failure => ({
  kind: 'rejected',
  status,
  code,
  params: {},
  fields: {},
  at,
})

/**
 * The market as a client sees it, behind a fake wire and the API: in memory, with two price decimals and no size decimals.
 * `fakeMarket.ts` is the server's.
 */
export function fakeWireMarket(transport: FakeWire, ids: string[], start = 1_000_000): FakeWireMarket {
  const sent = new Map<string, number>()
  let firstIx = 7
  const log = (id: string): Tick[] => market.log.get(id) ?? []
  const product = (id: string): ProductDetail => ({
    ...market.ticker(id),
    code: id,
    category: 'crypto',
    names: { en: id },
    priceDecimals: 2,
    sizeDecimals: 0,
    rateBp: 8500,
    recommended: id === ids[0],
    source: 'test',
    durations: [{ seconds: 30, rateBp: 8500, min: '1.00', max: '999999.00' }],
    maxTickGapMs: 15_000,
    entryTimeoutMs: 10_000,
    rule: 'R1',
    chain: 1,
    sources: [],
    refunds: { orders: 0, ahead: 0, behind: 0, level: 0, pnl: '0.00' },
  })
  const respond = async <T>(name: string, answer: () => T): Promise<T> => {
    market.requests.push(name)
    await Promise.resolve()
    if (market.failure) throw market.failure
    return answer()
  }
  const ticks = (id: string, query: TicksQuery): TicksAnswer => {
    const isEarlier = (tick: Tick): boolean => 'from' in query && tick.at < query.from
    const after = 'from' in query ? (log(id).findLast(isEarlier)?.seq ?? 0) : query.afterSeq
    if (after < market.prunedBelow) throw apiFailure(410, 'PRUNED')
    const rest = log(id).filter((tick) => tick.seq > after)
    const page = rest
      .slice(0, pageSize)
      .map((t): TicksAnswer['ticks'][number] => [t.seq, t.at, formatUnits(t.price, 2), String(t.size)])
    return { ticks: page, complete: rest.length <= pageSize, before: { seq: after, hash: zeroHash } }
  }
  const market: FakeWireMarket = {
    log: new Map(ids.map((id) => [id, []])),
    now: start,
    requests: [],
    failure: undefined,
    prunedBelow: Number.NEGATIVE_INFINITY,
    tick: (id, price, size = 1) => {
      const tick = {
        seq: log(id).length + 1,
        at: epochMs(market.now),
        price: priceUnits(price),
        size: sizeUnits(size),
      }
      log(id).push(tick)
      return tick
    },
    flush: (how = 'sent') => {
      const blocks = ids.flatMap((id, i) => {
        const mode = transport.subscribed.get(id)
        const from = sent.get(id) ?? 0
        const fresh = log(id).slice(mode === 'latest' ? Math.max(from, log(id).length - 1) : from)
        if (!mode || fresh.length === 0) return []
        sent.set(id, log(id).length)
        const values = fresh.flatMap((tick) => [tick.at, tick.price, tick.size])
        return [{ ix: firstIx + i, seq0: fresh[0]!.seq, values }]
      })
      if (blocks.length === 0 || how === 'lost') return
      for (let times = how === 'twice' ? 2 : 1; times > 0; times--) {
        transport.event('delta', encodeDelta({ at: market.now, blocks }))
      }
    },
    heartbeat: (status = 'live', of = [...transport.subscribed.keys()]) => {
      const feedState = (id: string): unknown => ({
        watermark: market.now,
        status,
        seq: log(id).length,
        hash: zeroHash,
      })
      transport.event('feed', { at: market.now, p: Object.fromEntries(of.map((id) => [id, feedState(id)])) })
    },
    ticker: (id) => ({
      id,
      last: formatUnits(log(id).at(-1)?.price ?? 10_000, 2),
      lastAt: epochMs(log(id).at(-1)?.at ?? start),
      change24hBp: 0,
      high24h: '100.00',
      low24h: '100.00',
      volume24h: '0',
      amount24h: '0.00',
      status: 'open',
      opensAt: null,
      closesAt: null,
    }),
    api: {
      products: () => respond('products', () => ids.map(product)),
      product: (id) => respond('product', () => product(id)),
      ticks: (id, query) => respond('ticks', () => ticks(id, query)),
      candles: () => respond('candles', () => []),
      positions: () => respond('positions', () => []),
      order: () => Promise.reject(apiFailure(404, 'NOT_FOUND')),
      proof: () => Promise.reject(apiFailure(404, 'NOT_FOUND')),
      place: () => Promise.reject(apiFailure(401, 'UNAUTHENTICATED')),
      orderByKey: () => Promise.reject(apiFailure(404, 'NOT_FOUND')),
      assets: () => Promise.reject(apiFailure(401, 'UNAUTHENTICATED')),
      messages: () => Promise.reject(apiFailure(401, 'UNAUTHENTICATED')),
      readMessages: () => Promise.reject(apiFailure(401, 'UNAUTHENTICATED')),
    },
  }
  transport.answer.subscribe = (requested) => {
    const unknown = requested.filter((id) => !ids.includes(id))
    if (unknown.length > 0) return { ok: false, code: 'NOT_FOUND', products: unknown }
    // The numbers stay the same as long as the wire is up; other numbers would mean a venue that restarted.
    for (const id of requested) sent.set(id, log(id).length)
    return {
      ok: true,
      index: Object.fromEntries(requested.map((id) => [id, firstIx + ids.indexOf(id)])),
      quotes: requested.map((id) => market.ticker(id)),
      heads: Object.fromEntries(requested.map((id) => [id, { seq: log(id).length, hash: zeroHash }])),
    }
  }
  transport.onUp = () => void (firstIx += 3)
  return market
}
