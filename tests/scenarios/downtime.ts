import type { WireTick } from '../../contract/chain.ts'
import type { Order } from '../../contract/orders.ts'
import type { TicksAnswer } from '../../contract/products.ts'
import { formatUnits } from '../../contract/price.ts'
import type { Gap } from '../../contract/settle.ts'
import { openMemoryDatabase } from '../../server/platform/db/open.ts'
import { syntheticSource } from '../../server/market/feed/synthetic.ts'
import { manualClock } from '../support/manualClock.ts'
import { findings, type Findings } from './findings.ts'
import { seededRandom } from '../support/random.ts'
import {
  cents,
  extendChain,
  expectedOutcome,
  registerMember,
  sha,
  blackBoxClient,
  type BlackBoxClient,
} from '../support/blackBoxClient.ts'
import { openWholeVenue, scratchFolder } from '../support/wholeVenue.ts'

/** `restart`: the venue stops and starts again. `stall`: its process pauses and continues. */
export type Outage = { way: 'restart' | 'stall'; ms: number }

/** The venue catches up after an outage of up to this length; a longer one is a gap. */
const catchUpMaxMs = 60_000
const seconds = [5, 20, 40]
const longestMs = 40_000
/** The watermark moves at least this often, so a stalled process has one no older than this. */
const heartbeatMs = 1000
const priceDecimals = 2
const priceWalks = {
  BUSY: { seed: 11, ticksPerSecond: 5, start: 100, volatility: 0.5 },
  CALM: { seed: 12, ticksPerSecond: 0.3, start: 100, volatility: 0.5 },
}
type Id = keyof typeof priceWalks
const ids = Object.keys(priceWalks) as Id[]
const table = ids.map((id) => ({
  id,
  code: id,
  category: 'crypto',
  names: { en: id },
  priceDecimals,
  durations: seconds.map((each) => ({ seconds: each, rateBp: 8000 + each, min: '1.00', max: '500.00' })),
  maxTickGapMs: 8000,
  entryTimeoutMs: 4000,
  recommended: true,
  feed: { synthetic: priceWalks[id] },
}))

/**
 * Runs a whole venue through outages while orders are open, and compares every order with two independent oracles:
 * rule R1 on the log that the venue serves, and an uninterrupted feed, if the order's ticks are outside the outages.
 */
export async function driveDowntime(
  seed: number,
  outages: readonly Outage[],
  ordersEach: number,
): Promise<Findings & { orders: number; refunded: number }> {
  const { found, expect } = findings()
  const random = seededRandom(seed)
  const choose = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] ?? (list[0] as T)
  const clock = manualClock()
  const startAt = clock.now()
  const database = await openMemoryDatabase()
  const folder = await scratchFolder()
  const parts = { database, clock, table, recordingsDir: folder.path, dataDir: folder.path }
  const gaps: Gap[] = []
  const placed: Order[] = []
  let refunded = 0
  let venue = await openWholeVenue(parts)
  let member = await registerMember(venue.url, 'downtime1', '13800000001')

  const place = async (): Promise<void> => {
    const productId = choose(ids)
    const duration = choose(seconds)
    const answer = await member.postWithKey<Order>('/api/orders', {
      productId,
      direction: choose(['up', 'down']),
      amount: '10.00',
      seconds: duration,
      rateBp: 8000 + duration,
      validUntil: clock.now() + 5000,
    })
    if (answer.status === 201) placed.push(answer.body)
    // A product that ticks rarely may be too quiet for a new order; any other rejection is a defect of the run.
    else if (answer.code !== 'FEED_STALE') throw new Error(`rejected: ${answer.text}`)
  }
  const outage = async ({ way, ms }: Outage): Promise<void> => {
    const from = clock.now()
    if (way === 'stall') {
      clock.leap(ms)
      await clock.advance(0)
      if (ms <= catchUpMaxMs) return
      const [reported] = (await member.get<{ items: Gap[] }>(`/api/products/${ids[0]}/gaps?limit=1`)).body
        .items
      const watermark = reported?.from ?? 0
      expect(watermark <= from && watermark >= from - heartbeatMs, () => `seed ${seed}: no gap from ${from}`)
      gaps.push({ from: watermark, to: clock.now() })
      return
    }
    await venue.close()
    clock.leap(ms)
    expect(venue.reportedErrors.length === 0, () => `the venue reported ${String(venue.reportedErrors)}`)
    venue = await openWholeVenue(parts)
    if (ms > catchUpMaxMs) gaps.push({ from, to: clock.now() })
    const { session } = member
    member = blackBoxClient(venue.url)
    Object.assign(member.session, session)
  }

  try {
    for (const each of outages) {
      for (let i = 0; i < ordersEach; i++) {
        await clock.advance(Math.floor(random.next() * ((2 * longestMs) / ordersEach)))
        await place()
      }
      await clock.advance(Math.floor(random.next() * 3000))
      await outage(each)
      await place()
    }
    await clock.advance(longestMs + 2000)
    const logs = new Map<string, WireTick[]>()
    for (const id of ids) {
      logs.set(id, await checkLog(member, id, { startAt, now: clock.now(), gaps, seed }, expect))
    }
    let pnl = 0
    for (const { id } of placed) {
      const order = (await member.get<Order>(`/api/orders/${id}`)).body
      pnl += cents(order.pnl ?? '0.00')
      if (order.reason === 'FEED_DOWN') refunded += 1
      checkOrder(
        order,
        logs.get(order.productId) ?? [],
        expectedTicks(order.productId, startAt, clock.now()),
        gaps,
        expect,
      )
    }
    const assets = (await member.get<{ total: string; openStakes: string }>('/api/me/assets')).body
    expect(
      assets.openStakes === '0.00' && cents(assets.total) === 1_000_000 + pnl,
      () => `seed ${seed}: ${assets.total} after a profit of ${pnl}`,
    )
    await venue.close()
  } finally {
    await database.close()
    await folder.remove()
  }
  return { ...found, orders: placed.length, refunded }
}

/** The ticks of the feed without any outage, as `[at, price]`. */
function expectedTicks(id: string, begin: number, until: number): [number, string][] {
  const { start, ...walk } = priceWalks[id as Id]
  const source = syntheticSource({ ...walk, start: start * 10 ** priceDecimals })
  const due = source.open(begin).due(begin, until)
  return Array.from({ length: due.length / 3 }, (_, i) => [
    due[i * 3] ?? 0,
    formatUnits(due[i * 3 + 1] ?? 0, priceDecimals),
  ])
}

const isMissedAt = (gaps: readonly Gap[], t: number): boolean =>
  gaps.some(({ from, to }) => from < t && (to === null || t <= to))
const isMissedWithin = (gaps: readonly Gap[], after: number, until: number): boolean =>
  gaps.some(({ from, to }) => from < until && (to === null || to > after))

type Expect = ReturnType<typeof findings>['expect']
type Span = { startAt: number; now: number; gaps: readonly Gap[]; seed: number }

/** Expects the log to contain exactly the feed's ticks outside the outages, chained, and the gaps to be public. */
async function checkLog(
  member: BlackBoxClient,
  id: string,
  { startAt, now, gaps, seed }: Span,
  expect: Expect,
): Promise<WireTick[]> {
  const ticks: WireTick[] = []
  let head = sha(id)
  for (;;) {
    const page = (
      await member.get<TicksAnswer>(`/api/products/${id}/ticks?afterSeq=${ticks.length}&limit=5000`)
    ).body
    expect(page.before?.hash === head, () => `seed ${seed}: ${id} breaks after ${ticks.length}`)
    head = extendChain(head, id, page.ticks)
    ticks.push(...page.ticks)
    if (page.complete) break
  }
  const reported = (
    await member.get<{ items: Gap[] }>(`/api/products/${id}/gaps?limit=100`)
  ).body.items.toReversed()
  expect(
    reported.length === gaps.length &&
      reported.every((gap, i) => gap.from === gaps[i]?.from && gap.to === gaps[i]?.to),
    () => `seed ${seed}: ${id} reports ${JSON.stringify(reported)}, not ${JSON.stringify(gaps)}`,
  )
  const logged = ticks.map(([, at, price]) => `${at} ${price}`).join()
  const expected = expectedTicks(id, startAt, now).filter(([at]) => !isMissedAt(gaps, at))
  expect(
    logged === expected.map(([at, price]) => `${at} ${price}`).join(),
    () => `seed ${seed}: ${id} logged ${ticks.length} ticks, its feed had ${expected.length}`,
  )
  return ticks
}

function checkOrder(
  order: Order,
  log: readonly WireTick[],
  feed: readonly [number, string][],
  gaps: readonly Gap[],
  expect: Expect,
): void {
  const { status, reason, entry, exit, payout, pnl } = order
  const expected = expectedOutcome(order, log, gaps, [])
  expect(
    JSON.stringify({ status, reason, entry, exit, payout, pnl }) === JSON.stringify(expected),
    () =>
      `order ${order.no}: ${JSON.stringify({ status, reason, entry, exit, payout, pnl })}, not ${JSON.stringify(expected)}`,
  )
  const limit = Math.min(order.acceptedAt + order.terms.entryTimeoutMs, order.closeAt)
  const first = feed.find(([at]) => at > order.acceptedAt && at <= limit)
  const last = first && feed.findLast(([at]) => at <= order.closeAt)
  const isHidden =
    isMissedWithin(gaps, order.acceptedAt, first?.[0] ?? limit) ||
    (last !== undefined && (isMissedAt(gaps, last[0]) || isMissedWithin(gaps, last[0], order.closeAt)))
  expect(
    (reason === 'FEED_DOWN') === isHidden,
    () => `order ${order.no}: ${status} ${reason}, but its ticks were ${isHidden ? 'lost' : 'logged'}`,
  )
  if (isHidden) return
  const same = (fill: Order['exit'], tick: [number, string] | undefined): boolean =>
    fill === null ? tick === undefined : 'at' in fill && fill.at === tick?.[0] && fill.price === tick[1]
  expect(same(entry, first) && same(exit, last), () => `order ${order.no}: not filled at the feed's ticks`)
}
