import type { Order } from '../../contract/orders.ts'
import { openMemoryDatabase } from '../../server/db/open.ts'
import type { FeedSource } from '../../server/feed/feed.ts'
import type { MarketProduct } from '../../server/feed/load.ts'
import { manualClock } from './clock.ts'
import { findings } from './findings.ts'
import type { Findings } from './findings.ts'
import { openHouse } from './house.ts'
import { csvOf, listed, openMarket, productOf, replayed } from './marketRoom.ts'
import { seededRandom } from './random.ts'

/** `foreign`: bad ticks among those a feed gives. `recording`: bad rows in its file. `hole`: 30 s without a tick. */
export type Badness = 'foreign' | 'recording' | 'hole'

type Tick = readonly [at: number, price: number, size: number]
type Asked = { afterMs: number; direction: 'up' | 'down'; seconds: number }
/** A fill by what it was filled at: after a hole the same tick has another number. */
type Fill = { at: number; price: string } | null
type Told = Pick<Order, 'status' | 'reason' | 'payout' | 'acceptedAt' | 'closeAt'> & {
  entry: Fill
  exit: Fill
}
type Course = { orders: (Told | string)[]; candles: string; flagged: number }

const id = 'A'
const spanMs = 240_000
const tickEveryMs = 180
const holeMs = 30_000
const holeFrom = 90_000
const maxTickGapMs = 5000
const badShare = 0.2
const seconds = [5, 15]

/**
 * Runs one market twice, on a clean feed and on a bad one, with the same orders at the same instants: chart and
 * settlement must be the same, what was bad must be counted, and what a hole hid must be refused or sent back.
 */
export async function driveBadFeed(
  seed: number,
  kind: Badness,
  orders: number,
): Promise<Findings & { flagged: number }> {
  const { found, expect } = findings()
  const random = seededRandom(seed)
  const ticks = walk(random)
  const plan = Array.from({ length: orders }, (): Asked => {
    return {
      afterMs: Math.floor((random.next() * 2 * (spanMs - 20_000)) / orders),
      direction: random.next() < 0.5 ? 'up' : 'down',
      seconds: seconds[Math.floor(random.next() * seconds.length)] ?? 5,
    }
  })
  const [clean, bad, given] = pairOf(kind, ticks, random)
  const right = await courseOf(clean, plan)
  const tried = await courseOf(bad, plan)
  expect(tried.flagged === given, () => `seed ${seed}: ${given} bad ticks given, ${tried.flagged} counted`)
  if (kind !== 'hole') {
    expect(tried.candles === right.candles, () => `seed ${seed}: another chart`)
  }
  for (const [i, order] of tried.orders.entries()) {
    const other = right.orders[i]
    const same = JSON.stringify(order) === JSON.stringify(other)
    const holds = same || (kind === 'hole' && hiddenByHole(order))
    expect(holds, () => `seed ${seed}, ${kind}: ${JSON.stringify(order)}, clean ${JSON.stringify(other)}`)
  }
  return { ...found, flagged: tried.flagged }
}

/** What an order that meets the hole may come to: refused, sent back, or an exit as old as its terms allow. */
function hiddenByHole(order: Told | string): boolean {
  if (typeof order === 'string') return order === 'FEED_STALE'
  const [from, to] = [begin + holeFrom, begin + holeFrom + holeMs]
  if (order.closeAt < from || order.acceptedAt > to) return false
  return order.status === 'refunded' || (order.exit !== null && order.closeAt - order.exit.at <= maxTickGapMs)
}

const begin = manualClock().now()

function walk(random: { next(): number }): Tick[] {
  const ticks: Tick[] = []
  let price = 10_000
  for (let at = begin + 1; at < begin + spanMs; at += 1 + Math.floor(random.next() * 2 * tickEveryMs)) {
    price += Math.floor(random.next() * 41) - 20
    ticks.push([at, price, 1 + Math.floor(random.next() * 9)])
  }
  return ticks
}

/** The clean product, the bad one, and how many bad ticks it was given. */
function pairOf(
  kind: Badness,
  ticks: readonly Tick[],
  random: { next(): number },
): [MarketProduct, MarketProduct, number] {
  if (kind === 'recording') return recordings(ticks, random)
  const clean = tradable(productOf(id, listed(ticks)))
  if (kind === 'hole') {
    const [from, to] = [begin + holeFrom, begin + holeFrom + holeMs]
    return [clean, tradable(productOf(id, listed(ticks.filter(([at]) => at <= from || at > to)))), 0]
  }
  const bad = spoiled(ticks, random)
  return [clean, tradable(productOf(id, givenAsIs(bad))), bad.length - ticks.length]
}

/** Ticks with, after some of them, one that no log may hold. */
function spoiled(ticks: readonly Tick[], random: { next(): number }): Tick[] {
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
      // Given again, or late with another price.
      old,
      [old[0], price * 10, size],
    ]
    const chosen = bad[Math.floor(random.next() * bad.length)] ?? tick
    // At the very instant of the newest tick a second one is a tick, equal or not (contract.md §3).
    return chosen[0] === at && chosen[1] > 0 && Number.isSafeInteger(chosen[1]) && chosen[2] >= 0
      ? [tick]
      : [tick, chosen]
  })
}

/** A feed that gives what it is told to in this order: what belongs to no instant comes with the tick before it. */
function givenAsIs(ticks: readonly Tick[]): FeedSource {
  const source = listed([])
  const feed = source.open(0)
  let reached = begin
  const dueAt = ticks.map(([at]) => (reached = Number.isNaN(at) ? reached : Math.max(reached, at)))
  return {
    ...source,
    open: () => ({
      ...feed,
      due: (after, until) =>
        ticks.filter((_, i) => (dueAt[i] ?? 0) > after && (dueAt[i] ?? 0) <= until).flat(),
    }),
  }
}

function recordings(
  ticks: readonly Tick[],
  random: { next(): number },
): [MarketProduct, MarketProduct, number] {
  const rows = ticks.map(([at, price, size]): [number, string, string] => {
    return [at - begin, (price / 100).toFixed(2), String(size)]
  })
  const [header = '', ...lines] = csvOf(rows).split('\n')
  const bad = lines.flatMap((line, i) => {
    if (random.next() > badShare || i < 40) return [line]
    const [at = ''] = line.split(',')
    const old = lines[i - 30] ?? ''
    const kinds = [`${at},0,1,,`, `${at},-5.00,1,,`, `${at},NaN,1,,`, `${at},,,,`, `soon,1.00,1,,`, old]
    return [line, kinds[Math.floor(random.next() * kinds.length)] ?? line]
  })
  const product = (csv: readonly string[]): MarketProduct =>
    tradable(replayed(id, [header, ...csv].join('\n'), { price: 2, size: 0 }))
  return [product(lines), product(bad), bad.length - lines.length]
}

function tradable(product: MarketProduct): MarketProduct {
  const durations = seconds.map((each) => ({ seconds: each, rateBp: 8000, min: '1.00', max: '100.00' }))
  return { ...product, settings: { ...product.settings, durations, maxTickGapMs, entryTimeoutMs: 4000 } }
}

/** How the orders of a plan ended on a product, its chart, and what the venue counted as bad. */
async function courseOf(product: MarketProduct, plan: readonly Asked[]): Promise<Course> {
  const database = await openMemoryDatabase()
  const clock = manualClock()
  try {
    const market = await openMarket(database.db, clock, [product], { everyMs: 200 })
    const house = await openHouse(database, { clock, ownMarket: market })
    market.start()
    await house.trading.start()
    const member = await house.join()
    await clock.advance(2000)
    const placed: string[] = []
    for (const { afterMs, direction, seconds: duration } of plan) {
      await clock.advance(afterMs)
      const body = { productId: id, direction, amount: '10.00', seconds: duration, rateBp: 8000 }
      const answer = await member.post<Order>('/orders', { ...body, validUntil: clock.now() + 5000 })
      placed.push(answer.status === 201 ? answer.body.id : `refused ${answer.code ?? ''}`)
    }
    await clock.advanceTo(begin + spanMs + 20_000)
    await house.trading.idle()
    const orders: Course['orders'] = []
    for (const each of placed) {
      if (each.startsWith('refused ')) orders.push(each.slice('refused '.length))
      else orders.push(told((await member.get<Order>(`/orders/${each}`)).body))
    }
    const candles = JSON.stringify(await market.candles(id, '1m', clock.now() + 1, 1000))
    if (house.faults.length > 0) throw new Error(String(house.faults))
    await house.trading.stop()
    await house.close()
    await market.stop()
    return { orders, candles, flagged: market.dropped() + product.source.skipped }
  } finally {
    await database.close()
  }
}

const fillOf = (fill: Order['entry']): Fill => fill && { at: fill.at, price: fill.price }
const told = ({ status, reason, entry, exit, payout, acceptedAt, closeAt }: Order): Told => ({
  status,
  reason,
  entry: fillOf(entry),
  exit: fillOf(exit),
  payout,
  acceptedAt,
  closeAt,
})
