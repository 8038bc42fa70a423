import type { Order } from '../../contract/orders.ts'
import { openMemoryDatabase } from '../../server/platform/db/open.ts'
import type { ComputedSource } from '../../server/market/feed/feed.ts'
import type { MarketProduct } from '../../server/market/feed/loadProducts.ts'
import { manualClock } from '../support/manualClock.ts'
import { findings, type Findings } from './findings.ts'
import {
  computedSourceOf,
  csvOf,
  scriptedFeed,
  openMarket,
  productOf,
  replayedProduct,
} from '../support/marketFixtures.ts'
import { seededRandom } from '../support/random.ts'
import { openTestVenue } from '../support/testVenue.ts'

/** `foreign`: bad ticks in a feed. `recording`: bad rows in its file. `hole`: 30 s without a tick. */
export const feedDefects = ['foreign', 'recording', 'hole'] as const
export type FeedDefect = (typeof feedDefects)[number]

type Tick = readonly [at: number, price: number, size: number]
type PlannedOrder = { afterMs: number; direction: 'up' | 'down'; seconds: number }
/** A fill without its `seq`: after a hole the same tick has another number. */
type Fill = { at: number; price: string } | null
type OrderOutcome = Pick<Order, 'status' | 'reason' | 'payout' | 'acceptedAt' | 'closeAt'> & {
  entry: Fill
  exit: Fill
}
type RunResult = { orders: (OrderOutcome | string)[]; candles: string }
/** The same product with a clean feed and with a bad one, and how many bad ticks that one gets. */
type Pair = { kind: FeedDefect; clean: MarketProduct; bad: MarketProduct; badCount: number }

const tickEveryMs = 180
const holeMs = 30_000
const holeFrom = 90_000
const maxTickGapMs = 5000
const badShare = 0.2
const aheadMs = 600_000
const seconds = [5, 15]

/**
 * Runs a market of `spanMs` with products on a clean feed and on bad ones, with the same orders at the same instants. Chart
 * and settlement must be equal, bad ticks must be counted, and orders that a hole affects must be rejected or refunded.
 */
export async function driveBadFeed(
  seed: number,
  orders: number,
  spanMs: number,
): Promise<Record<FeedDefect, Findings & { flagged: number }>> {
  const random = seededRandom(seed)
  const ticks = priceWalk(random, spanMs)
  const plan = Array.from({ length: orders }, (): PlannedOrder => {
    return {
      afterMs: Math.floor((random.next() * 2 * (spanMs - 20_000)) / orders),
      direction: random.next() < 0.5 ? 'up' : 'down',
      seconds: seconds[Math.floor(random.next() * seconds.length)] ?? 5,
    }
  })
  const pairs = feedDefects.map((kind) => pairOf(kind, ticks, random))
  // The clean feeds of `foreign` and `hole` are the same.
  const clean = new Map(pairs.map((pair) => [pair.clean.settings.id, pair.clean]))
  const { results, dropped } = await runOrders(
    [...clean.values(), ...pairs.map(({ bad }) => bad)],
    plan,
    spanMs,
  )
  const compared = pairs.map((pair) => {
    const { kind, bad, badCount } = pair
    const { found, expect } = findings()
    // Rows of a recording are skipped when it is read; the market may drop no tick but the foreign ones.
    const flagged = kind === 'foreign' ? dropped : (computedSourceOf(bad).skipped?.count ?? 0)
    expect(flagged === badCount, () => `seed ${seed}: ${badCount} bad ticks sent, ${flagged} counted`)
    compareRuns(resultOf(results, pair.clean), resultOf(results, bad), { seed, kind, expect })
    return [kind, { ...found, flagged }] as const
  })
  return Object.fromEntries(compared) as Awaited<ReturnType<typeof driveBadFeed>>
}

function resultOf(results: ReadonlyMap<string, RunResult>, { settings }: MarketProduct): RunResult {
  const result = results.get(settings.id)
  if (!result) throw new Error(`${settings.id} did not run`)
  return result
}

function compareRuns(
  expected: RunResult,
  actual: RunResult,
  { seed, kind, expect }: { seed: number; kind: FeedDefect } & Pick<ReturnType<typeof findings>, 'expect'>,
): void {
  if (kind !== 'hole') {
    expect(actual.candles === expected.candles, () => `seed ${seed}: the charts differ`)
  }
  for (const [i, order] of actual.orders.entries()) {
    const cleanOrder = expected.orders[i]
    const isEqual = JSON.stringify(order) === JSON.stringify(cleanOrder)
    expect(
      isEqual || (kind === 'hole' && isExplainedByHole(order)),
      () => `seed ${seed}, ${kind}: ${JSON.stringify(order)}, clean ${JSON.stringify(cleanOrder)}`,
    )
  }
}

/** An order that meets the hole may be rejected, refunded, or have an exit as old as its terms allow. */
function isExplainedByHole(order: OrderOutcome | string): boolean {
  if (typeof order === 'string') return order === 'FEED_STALE'
  const [from, to] = [startAt + holeFrom, startAt + holeFrom + holeMs]
  if (order.closeAt < from || order.acceptedAt > to) return false
  return order.status === 'refunded' || (order.exit !== null && order.closeAt - order.exit.at <= maxTickGapMs)
}

const startAt = manualClock().now()

function priceWalk(random: { next(): number }, spanMs: number): Tick[] {
  const ticks: Tick[] = []
  let price = 10_000
  for (let at = startAt + 1; at < startAt + spanMs; at += 1 + Math.floor(random.next() * 2 * tickEveryMs)) {
    price += Math.floor(random.next() * 41) - 20
    ticks.push([at, price, 1 + Math.floor(random.next() * 9)])
  }
  return ticks
}

function pairOf(kind: FeedDefect, ticks: readonly Tick[], random: { next(): number }): Pair {
  if (kind === 'recording') return recordingPair(ticks, random)
  const clean = tradable(productOf('CLEAN', scriptedFeed(ticks)))
  if (kind === 'hole') {
    const [from, to] = [startAt + holeFrom, startAt + holeFrom + holeMs]
    const bad = tradable(productOf('HOLE', scriptedFeed(ticks.filter(([at]) => at <= from || at > to))))
    return { kind, clean, bad, badCount: 0 }
  }
  const more = withBadTicks(ticks, random)
  const bad = tradable(productOf('FOREIGN', unorderedFeed(more)))
  return { kind, clean, bad, badCount: more.length - ticks.length }
}

/** Adds, after some ticks, one that no log may contain. */
function withBadTicks(ticks: readonly Tick[], random: { next(): number }): Tick[] {
  return ticks.flatMap((tick, i): Tick[] => {
    if (random.next() > badShare) return [tick]
    const [at, price, size] = tick
    const old = ticks[Math.max(0, i - 1 - Math.floor(random.next() * 30))] ?? tick
    const bad: readonly Tick[] = [
      [at, 0, size],
      [at, -price, size],
      [at, Number.NaN, size],
      [at, Number.POSITIVE_INFINITY, size],
      [at, price + 0.5, size],
      [at, 2 ** 53, size],
      [at, price, -1],
      [Number.NaN, price, size],
      // From the future, and in microseconds.
      [at + 3_600_000, price, size],
      [at * 1000, price, size],
      // A repeated tick, or a late one with another price.
      old,
      [old[0], price * 10, size],
    ]
    const chosen = bad[Math.floor(random.next() * bad.length)] ?? tick
    // A second tick at the instant of the newest one is valid, equal or not (contract.md §3).
    return chosen[0] === at && chosen[1] > 0 && Number.isSafeInteger(chosen[1]) && chosen[2] >= 0
      ? [tick]
      : [tick, chosen]
  })
}

/** A feed that returns these ticks in this order. One without an instant, or far ahead, is due with the one before it. */
function unorderedFeed(ticks: readonly Tick[]): ComputedSource {
  const source = scriptedFeed([])
  const feed = source.open(0)
  let latestAt = startAt
  const dueAt = ticks.map(([at]) => (latestAt = at < latestAt + aheadMs ? Math.max(latestAt, at) : latestAt))
  return {
    ...source,
    open: () => ({
      ...feed,
      due: (after, until) =>
        ticks.filter((_, i) => (dueAt[i] ?? 0) > after && (dueAt[i] ?? 0) <= until).flat(),
    }),
  }
}

function recordingPair(ticks: readonly Tick[], random: { next(): number }): Pair {
  const rows = ticks.map(([at, price, size]): [number, string, string] => {
    return [at - startAt, (price / 100).toFixed(2), String(size)]
  })
  const [header = '', ...lines] = csvOf(rows).split('\n')
  const bad = lines.flatMap((line, i) => {
    if (random.next() > badShare || i < 40) return [line]
    const [at = ''] = line.split(',')
    const old = lines[i - 30] ?? ''
    const kinds = [`${at},0,1,,`, `${at},-5.00,1,,`, `${at},NaN,1,,`, `${at},,,,`, `soon,1.00,1,,`, old]
    return [line, kinds[Math.floor(random.next() * kinds.length)] ?? line]
  })
  const product = (id: string, csv: readonly string[]): MarketProduct =>
    tradable(replayedProduct(id, [header, ...csv].join('\n'), { price: 2, size: 0 }))
  return {
    kind: 'recording',
    clean: product('RECORDED', lines),
    bad: product('BAD-ROWS', bad),
    badCount: bad.length - lines.length,
  }
}

function tradable(product: MarketProduct): MarketProduct {
  const durations = seconds.map((each) => ({ seconds: each, rateBp: 8000, min: '1.00', max: '100.00' }))
  return { ...product, settings: { ...product.settings, durations, maxTickGapMs, entryTimeoutMs: 4000 } }
}

/** Runs the planned orders on each product: their outcomes, its chart, and how many ticks the venue dropped as bad. */
async function runOrders(
  products: readonly MarketProduct[],
  plan: readonly PlannedOrder[],
  spanMs: number,
): Promise<{ results: Map<string, RunResult>; dropped: number }> {
  const database = await openMemoryDatabase()
  const clock = manualClock()
  try {
    const market = await openMarket(database.db, clock, products, { everyMs: 200 })
    const venue = await openTestVenue(database, { clock, market })
    const member = await venue.createMember()
    await clock.advance(2000)
    const placed = new Map(products.map(({ settings }) => [settings.id, [] as string[]]))
    for (const { afterMs, direction, seconds: duration } of plan) {
      await clock.advance(afterMs)
      for (const [productId, orders] of placed) {
        const body = { productId, direction, amount: '10.00', seconds: duration, rateBp: 8000 }
        const answer = await member.post<Order>('/orders', { ...body, validUntil: clock.now() + 5000 })
        orders.push(answer.status === 201 ? answer.body.id : `rejected ${answer.code ?? ''}`)
      }
    }
    await clock.advanceTo(startAt + spanMs + 20_000)
    await venue.trading.idle()
    const results = new Map<string, RunResult>()
    for (const [productId, ids] of placed) {
      const orders: RunResult['orders'] = []
      for (const each of ids) {
        if (each.startsWith('rejected ')) orders.push(each.slice('rejected '.length))
        else orders.push(outcomeOf((await member.get<Order>(`/orders/${each}`)).body))
      }
      const candles = JSON.stringify(await market.candles(productId, '1m', clock.now() + 1, 1000))
      results.set(productId, { orders, candles })
    }
    if (venue.reportedErrors.length > 0) throw new Error(String(venue.reportedErrors))
    await venue.close()
    return { results, dropped: market.dropped() }
  } finally {
    await database.close()
  }
}

/** These products have rule R1: an exit is a tick. */
const fillOf = (fill: Order['exit']): Fill =>
  fill && 'at' in fill ? { at: fill.at, price: fill.price } : null
const outcomeOf = ({ status, reason, entry, exit, payout, acceptedAt, closeAt }: Order): OrderOutcome => ({
  status,
  reason,
  entry: fillOf(entry),
  exit: fillOf(exit),
  payout,
  acceptedAt,
  closeAt,
})
