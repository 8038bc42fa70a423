import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timeframes, type Candle } from '../../../contract/candles.ts'
import {
  productRoutes,
  toRestTick,
  type Product,
  type ProductDetail,
  type RestCandle,
  type TicksAnswer,
} from '../../../contract/products.ts'
import { replayOf } from '../../../contract/replayFingerprint.ts'
import type { RouteRequest } from '../../../contract/route.ts'
import type { Gap } from '../../../contract/settle.ts'
import { noRefunds, type RefundReader, type Refunds } from './refunds.ts'
import { chargeAnswer, mount } from '../../platform/http/mount.ts'
import { ApiError } from '../../platform/apiError.ts'
import { untilReached } from './headWait.ts'
import { rereadJobs } from '../../platform/jobs.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock, Cluster } from '../../platform/ports.ts'
import type { ProductSettings } from '../ports.ts'
import type { ReadMarket } from '../market.ts'
import { mountRecordings } from './recordingRoutes.ts'
import { createResponseCache, jsonResponse, type BuiltResponse } from '../../platform/http/responseCache.ts'
import { matchesQuery } from './search.ts'
import type { MarketSettings } from '../settings.ts'

export type MarketRouteParts = {
  market: ReadMarket
  clock: Clock
  cluster: Cluster | null
  refunds: RefundReader
  settings: Pick<MarketSettings, 'recordingsDir'>
}

/** The routes of products, ticks, candles, gaps and recordings: public and read only. */
export function createMarketRoutes(parts: MarketRouteParts): Module {
  return {
    mount: (app) => {
      mountProducts(app, parts)
      mountHistory(app, parts)
      mountRecordings(app, parts.market, parts.settings.recordingsDir)
    },
    jobs: rereadJobs(parts.cluster, 'read the maintenance of products again', () =>
      parts.market.rereadMaintenance(),
    ),
  }
}

function mountProducts(app: FastifyInstance, parts: MarketRouteParts): void {
  const { market, refunds } = parts
  mount(app, productRoutes.products, async ({ query }) => {
    const matching = market.ids
      .map((id) => settingsOf(market, id))
      .filter((each) => each.witnessOf === undefined)
      .filter((each) => matchesFilter(market, each, query))
    const withSpark = query.spark === 'true'
    const items = matching.map(async (each) => ({
      ...productOf(market, each),
      ...(withSpark && { spark: await market.spark(each.id) }),
    }))
    return { items: await Promise.all(items) }
  })
  mount(app, productRoutes.product, async ({ params }) => {
    const settings = settingsOf(market, params.id)
    const { durations, maxTickGapMs, entryTimeoutMs, settlement, witness, witnessOf } = settings
    const { refundedOrders: orders, stood } = (await refunds.sums()).get(settings.id) ?? noRefunds
    return {
      ...productOf(market, settings),
      spark: await market.spark(settings.id),
      durations,
      maxTickGapMs,
      entryTimeoutMs,
      ...settlement,
      chain: market.chain(settings.id),
      ...(witness && { witness }),
      ...(witnessOf !== undefined && { witnessOf }),
      sources: await sourcesOf(parts, settings.id),
      refunds: { orders, ...stood },
    }
  })
}

/** Ticks, candles and gaps. */
function mountHistory(app: FastifyInstance, parts: MarketRouteParts): void {
  /** An instant that has passed, and that this node may not have followed the log to. */
  const untilFlushed = async (instant: number | undefined): Promise<void> => {
    if (instant === undefined || instant > clock.now()) return
    await untilReached(parts, () => market.flushedAt() >= instant)
  }
  const { market, clock } = parts
  const cache = createResponseCache()
  const send = async (
    { request, reply }: RequestReply,
    key: string,
    build: () => Promise<BuiltResponse>,
  ): Promise<Buffer> => {
    const { bytes, tokens } = await cache.get(key, build)
    chargeAnswer(request, tokens)
    reply.type('application/json; charset=utf-8')
    return bytes
  }
  mount(app, productRoutes.ticks, async ({ params: { id }, query, ...requestReply }) => {
    const { afterSeq, from, to, limit } = query
    settingsOf(market, id)
    if (afterSeq === undefined) await untilFlushed(to)
    else await untilReached(parts, () => market.head(id).seq >= afterSeq)
    return send(requestReply, `ticks ${id} ${afterSeq} ${from} ${to} ${limit}`, async () => {
      const answer = await ticksOf(market, clock, id, query)
      // A page cut off by its limit never changes: the log is append-only.
      return jsonResponse(answer, !answer.complete && answer.ticks.length > 0)
    })
  })
  mount(app, productRoutes.candles, async ({ params, query, ...requestReply }) => {
    const { id } = settingsOf(market, params.id)
    const { tf, limit } = query
    await untilFlushed(query.to)
    // The default includes the current minute.
    const to = query.to ?? clock.now() + 1
    const end = Math.ceil(to / timeframes[tf]) * timeframes[tf]
    const final = end <= market.watermark(id)
    return send(requestReply, `candles ${id} ${tf} ${final ? end : to} ${limit}`, async () =>
      jsonResponse(candlesAnswer(await market.candles(id, tf, final ? end : to, limit)), final),
    )
  })
  mount(app, productRoutes.gaps, async ({ params: { id }, query, ...requestReply }) =>
    send(requestReply, `gaps ${id} ${query.cursor} ${query.limit}`, async () =>
      jsonResponse(await gapsOf(parts, id, query), false),
    ),
  )
}

type RequestReply = { request: FastifyRequest; reply: FastifyReply }

const candlesAnswer = (candles: readonly Candle[]): { candles: RestCandle[] } => ({
  candles: candles.map(({ openAt, open, high, low, close, volume, lastSeq }) => [
    openAt,
    open,
    high,
    low,
    close,
    volume,
    lastSeq,
  ]),
})

/** @throws ApiError `NOT_FOUND` */
function settingsOf(market: ReadMarket, id: string): ProductSettings {
  const settings = market.settings(id)
  if (!settings) throw new ApiError('NOT_FOUND')
  return settings
}

type Filter = RouteRequest<typeof productRoutes.products>['query']

const matchesFilter = (
  market: ReadMarket,
  settings: ProductSettings,
  { category, q = '' }: Filter,
): boolean =>
  (category === undefined || settings.category === category) &&
  (q === '' || matchesQuery(q, settings, market.searchTerms(settings.id)))

function productOf(market: ReadMarket, settings: ProductSettings): Product {
  const { id, code, category, names, priceDecimals, sizeDecimals, recommended, source, durations } = settings
  return {
    ...market.ticker(id),
    id,
    code,
    category,
    names,
    priceDecimals,
    sizeDecimals,
    rateBp: Math.max(0, ...durations.map((each) => each.rateBp)),
    recommended,
    source,
    ...passesOf(market, id),
    ...(market.isThin(id) && { thin: true as const }),
  }
}

function passesOf(market: ReadMarket, id: string): Pick<Product, 'passes'> {
  const source = market.sources(id).at(-1)
  const periodMs = source && replayOf(source.fingerprint)?.periodMs
  return source && periodMs !== undefined ? { passes: { epoch: source.epoch, periodMs } } : {}
}

/** Most products have one source, and a single source never refunded an order, so that case needs no query. */
async function sourcesOf(
  { market, refunds }: MarketRouteParts,
  id: string,
): Promise<ProductDetail['sources']> {
  const sources = market.sources(id)
  const [first, last] = [sources[0], sources.at(-1)]
  const refundsByStart =
    first && last && first !== last && (await refunds.between(id, 'source', first.sinceAt, last.sinceAt))
  return sources.map((source) => ({
    ...source,
    ...((refundsByStart && refundsByStart.get(source.sinceAt)) || noRefunds),
  }))
}

type TicksQuery = RouteRequest<typeof productRoutes.ticks>['query']

async function ticksOf(
  market: ReadMarket,
  clock: Clock,
  id: string,
  { afterSeq, from, to, limit }: TicksQuery,
): Promise<TicksAnswer> {
  settingsOf(market, id)
  if (afterSeq === undefined) {
    if (from === undefined && to === undefined) {
      throw new ApiError('VALIDATION', { fields: { afterSeq: 'REQUIRED' } })
    }
    return toTicksAnswer(await market.ticksBetween(id, from ?? 0, to ?? clock.now(), limit))
  }
  if (from !== undefined || to !== undefined) {
    throw new ApiError('VALIDATION', { fields: { afterSeq: 'INVALID' } })
  }
  return toTicksAnswer(await market.ticksAfter(id, afterSeq, limit))
}

const toTicksAnswer = ({
  ticks,
  complete,
  before,
}: Awaited<ReturnType<ReadMarket['ticksAfter']>>): TicksAnswer => ({
  ticks: ticks.map(toRestTick),
  complete,
  before,
})

type GapsQuery = RouteRequest<typeof productRoutes.gaps>['query']
type GapItem = Gap & Refunds

async function gapsOf(
  { market, refunds }: MarketRouteParts,
  productId: string,
  { cursor, limit }: GapsQuery,
): Promise<{ items: GapItem[]; nextCursor: string | null }> {
  const { id } = settingsOf(market, productId)
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : Number(cursor)
  if (!/^\d+$/.test(cursor ?? '0')) throw new ApiError('VALIDATION', { fields: { cursor: 'INVALID' } })
  const older = (await market.gaps(id)).filter((gap) => gap.from < before).toReversed()
  const page = older.slice(0, limit)
  const [newest, last] = [page[0], page.at(-1)]
  const refundsByStart = newest && last && (await refunds.between(id, 'gap', last.from, newest.from))
  return {
    items: page.map((gap) => ({ ...gap, ...(refundsByStart?.get(gap.from) ?? noRefunds) })),
    nextCursor: older.length > limit && last ? String(last.from) : null,
  }
}
