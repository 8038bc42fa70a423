import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { priceUnits } from '../../../../contract/units.ts'
import type { Order } from '../../../../contract/orders.ts'
import { settle, type Gap, type SettleTick } from '../../../../contract/settle.ts'
import { orders as orderTable, type OrderRow } from '../../../../server/trading/schema.ts'
import { fillColumns, toSettleOrder, toTerms } from '../../../../server/trading/orders/orderRow.ts'
import { settleOracleR2 } from '../../../scenarios/settleOracleR2.ts'
import { averagedProduct, fakeMarket, testProduct } from '../../../support/fakeMarket.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { orderRequest } from '../../../support/orders.ts'
import { seededRandom } from '../../../support/random.ts'
import { testSeed } from '../../../support/testSeed.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

const database = await withDatabase()

const runs = 4
const steps = 220

/** A naive second implementation of the rule: scans every tick and shares nothing with the contract's code. */
function oracle(
  order: OrderRow,
  ticks: readonly SettleTick[],
  gaps: readonly Gap[],
): { result: string; payout: number } {
  let first: SettleTick | undefined
  let last: SettleTick | undefined
  const latest =
    order.acceptedAt + order.entryTimeoutMs < order.closeAt
      ? order.acceptedAt + order.entryTimeoutMs
      : order.closeAt
  for (const tick of ticks) {
    if (!first && tick.at > order.acceptedAt && tick.at <= latest) first = tick
    if (first && tick.at <= order.closeAt) last = tick
  }
  const missing = (after: number, until: number): boolean =>
    gaps.some((gap) => {
      const gapEnd = gap.to ?? Number.MAX_SAFE_INTEGER
      return Math.max(gap.from, after) < Math.min(gapEnd, until)
    })
  const refund = (result: string) => ({ result, payout: order.amount })
  if (missing(order.acceptedAt, first ? first.at : latest)) return refund('FEED_DOWN')
  if (last && missing(last.at, order.closeAt)) return refund('FEED_DOWN')
  if (!first || !last) return refund('NO_ENTRY')
  if (first.seq === last.seq) return refund('ONE_TICK')
  if (order.closeAt - last.at > order.maxTickGapMs) return refund('STALE_EXIT')
  if (first.price === last.price) return refund('tied')
  const up = last.price > first.price
  if (up !== (order.direction === 'up')) return { result: 'lost', payout: 0 }
  const win = (BigInt(order.amount) * BigInt(order.rateBp)) / 10_000n
  return { result: 'won', payout: order.amount + Number(win) }
}

/** Rule R2 by its oracle, which too shares nothing with the contract's code. */
function oracleR2(order: OrderRow, ticks: readonly SettleTick[], gaps: readonly Gap[]) {
  const terms = toTerms(order)
  if (terms.rule !== 'R2') throw new Error('not R2')
  const expected = settleOracleR2(terms, toSettleOrder(order), [...ticks], [...gaps], [])
  return { result: expected.reason ?? expected.status, payout: expected.payout }
}

describe('settlement over random markets', () => {
  it(`agrees with the oracle and with the contract's settle over the whole log, in ${runs} runs`, async () => {
    const first = testSeed()
    const seen = new Set<string>()
    let orders = 0
    for (let i = 0; i < runs; i++) orders += await runSeed(first + i, seen)
    expect(orders).toBeGreaterThan(runs * 50)
    expect(seen.size).toBeGreaterThan(4)
  })
})

/** Returns how many orders were compared. */
async function runSeed(seed: number, seen: Set<string>): Promise<number> {
  const random = seededRandom(seed)
  const clock = manualClock()
  const product = seed % 2 === 0 ? testProduct : averagedProduct
  const venue = await withVenue({ database, seed, clock, market: fakeMarket(clock, [product]) })
  const ticks: SettleTick[] = []
  await venue.clock.advance(1)
  const tick = (): void => {
    const price = 10_000 + Math.floor(random.next() * 5)
    venue.market.tick(venue.clock.now(), price)
    ticks.push({ at: venue.clock.now(), price: priceUnits(price), seq: ticks.length + 1 })
  }
  tick()
  venue.market.flush()
  const guests = await Promise.all([venue.createMember(), venue.createMember(), venue.createMember()])
  for (let i = 0; i < steps; i++) await step(venue, () => random.next(), tick, guests)
  await venue.clock.advance(70_000)
  venue.market.flush()
  await venue.trading.idle()
  const compared = await compareWithOracle(venue, ticks, guests, seed, seen)
  await venue.close()
  expect(venue.reportedErrors).toEqual([])
  return compared
}

async function step(
  venue: TestVenue,
  next: () => number,
  tick: () => void,
  guests: readonly MemberClient[],
): Promise<void> {
  const choice = next()
  if (choice < 0.35) {
    await venue.clock.advance(1 + Math.floor(next() * 3000))
    tick()
    if (next() < 0.3) tick()
    venue.market.flush()
  } else if (choice < 0.75) {
    const seconds = next() < 0.5 ? 30 : 60
    const amount = `${Math.floor(5 + next() * 90)}.${String(Math.floor(next() * 100)).padStart(2, '0')}`
    const direction = next() < 0.5 ? 'up' : 'down'
    await guests[Math.floor(next() * guests.length)]!.post(
      '/orders',
      orderRequest(venue, { seconds, amount, direction }),
    )
  } else if (choice < 0.9) {
    await venue.clock.advance(Math.floor(next() * 1000))
    venue.market.flush()
  } else if (choice < 0.95) {
    await venue.clock.advance(Math.floor(next() * 20_000))
    venue.market.flush()
    // No tick is at or before the watermark.
    await venue.clock.advance(1)
    tick()
    venue.market.flush()
  } else {
    await venue.clock.advance(Math.floor(next() * 9000))
    venue.market.recordGap()
  }
  await venue.trading.idle()
}

async function compareWithOracle(
  venue: TestVenue,
  ticks: readonly SettleTick[],
  guests: readonly MemberClient[],
  seed: number,
  seen: Set<string>,
): Promise<number> {
  let compared = 0
  const gaps = await venue.market.gaps(testProduct.id)
  for (const guest of guests) {
    const rows = await venue.db
      .select()
      .from(orderTable)
      .where(sql`member_id = ${guest.id}`)
    let pnl = 0
    compared += rows.length
    for (const row of rows) {
      const expected = row.rule === 'R2' ? oracleR2(row, ticks, gaps) : oracle(row, ticks, gaps)
      seen.add(expected.result)
      expect([seed, row.reason ?? row.status, row.payout]).toEqual([seed, expected.result, expected.payout])
      const again = settle(toTerms(row), toSettleOrder(row), ticks, gaps, [])
      const { entrySeq, exitSeq, exitValue, exitTicks, exitFrom, exitTo } = row
      expect(fillColumns(again)).toMatchObject({
        entrySeq,
        exitSeq,
        exitValue,
        exitTicks,
        exitFrom,
        exitTo,
      })
      pnl += expected.payout - row.amount
      const events = venue.bus.eventsFor<Order>(guest.id, 'order').filter((order) => order.id === row.id)
      expect(events.map((order) => order.version)).toEqual(events.map((_order, i) => i + 1))
      expect(events.at(-1)).toMatchObject({ status: row.status, version: row.version })
    }
    const [balance] = (
      await venue.db.execute(sql`SELECT available, stakes, pnl FROM balance WHERE member_id = ${guest.id}`)
    ).rows
    expect(balance).toEqual({ available: 1_000_000 + pnl, stakes: 0, pnl })
  }
  return compared
}
