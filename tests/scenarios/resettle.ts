import { fillOf, wireExitOf } from '../../contract/fills.ts'
import { moneyOf, formatMoney } from '../../contract/money.ts'
import { priceUnits } from '../../contract/units.ts'
import type { WireTick } from '../../contract/chain.ts'
import type { Order } from '../../contract/orders.ts'
import { parsePrice } from '../../contract/price.ts'
import { settle, type SettleTick } from '../../contract/settle.ts'
import type { Database } from '../../server/platform/db/open.ts'
import type { MarketParts, RunningMarket } from '../../server/market/market.ts'
import { manualClock } from '../support/manualClock.ts'
import { openMarket, syntheticProduct } from '../support/marketFixtures.ts'
import type { OrderList } from '../support/orders.ts'
import { seededRandom } from '../support/random.ts'
import type { Comparison } from './settleOracle.ts'
import type { MemberClient } from '../support/apiCalls.ts'
import { openTestVenue } from '../support/testVenue.ts'
import type { Secrets } from '../../server/platform/secrets.ts'

const products = [syntheticProduct('FAST', 20), syntheticProduct('SLOW', 1, 7)]
const batch = 100
const stopEvery = 12
const ticksMax = 5000

/**
 * Lets the venue settle orders on its own market, with restarts in between, then restarts it and settles every order
 * again from the stored log: each result must be byte by byte what the venue returned.
 * @param parts of its market that differ from production
 */
export async function resettle(
  database: Database,
  count: number,
  seed: number,
  parts: Partial<MarketParts> = {},
): Promise<Comparison> {
  const random = seededRandom(seed)
  const clock = manualClock()
  let venueSeed = seed
  let running = await openVenue(database, clock, { parts, seed: venueSeed })
  const { secrets } = running.venue
  const members: MemberClient[] = []
  for (let i = 0; i < 10; i++) members.push(await running.venue.createMember(moneyOf('900000.00')))
  const placed = new Set<string>()
  for (let turn = 1; placed.size < count; turn++) {
    const wanted = Math.min(batch, count - placed.size)
    const replies = await Promise.all(
      Array.from({ length: wanted }, () => {
        const member = members[Math.floor(random.next() * members.length)]
        return running.clientOf(member).post<Order>('/orders', randomOrder(clock.now(), random))
      }),
    )
    for (const { status, body } of replies) if (status === 201) placed.add(body.id)
    await clock.advance(500 + Math.floor(random.next() * 6000))
    if (turn % stopEvery > 0) continue
    await running.close()
    await clock.advance(1000 + Math.floor(random.next() * 20_000))
    running = await openVenue(database, clock, { parts, seed: (venueSeed += 1), secrets })
    await clock.advance(100)
  }
  await clock.advance(70_000)
  await running.venue.trading.idle()
  await running.close()

  running = await openVenue(database, clock, { parts, seed: (venueSeed += 1), secrets })
  const comparison: Comparison = { tried: 0, outcomes: {}, violations: [] }
  for (const member of members) {
    for await (const order of ordersOf(running.clientOf(member)))
      await resettleOrder(running.market, order, seed, comparison)
  }
  await running.close()
  if (comparison.tried !== count)
    comparison.violations.push(`seed ${seed}: ${comparison.tried} of ${count} orders were found again`)
  return comparison
}

/** Each start has its own seed, so that ids never repeat. */
async function openVenue(
  database: Database,
  clock: ReturnType<typeof manualClock>,
  { parts, ...settings }: { parts: Partial<MarketParts>; seed: number; secrets?: Secrets },
) {
  const market = await openMarket(database.db, clock, products, parts)
  const venue = await openTestVenue(database, { clock, market, ...settings })
  await clock.advance(100)
  return {
    market,
    venue,
    /** The member's client on this start of the venue. */
    clientOf: (member: MemberClient | undefined): MemberClient => {
      if (!member) throw new Error('no member')
      return venue.clientOf(member)
    },
    close: async (): Promise<void> => {
      await venue.close()
      if (venue.reportedErrors.length > 0)
        throw new AggregateError(venue.reportedErrors, 'the venue reported errors')
    },
  }
}

const randomOrder = (now: number, random: { next(): number }) => ({
  productId: random.next() < 0.6 ? 'FAST' : 'SLOW',
  direction: random.next() < 0.5 ? 'up' : 'down',
  amount: `${1 + Math.floor(random.next() * 50)}.${String(Math.floor(random.next() * 100)).padStart(2, '0')}`,
  seconds: 60,
  rateBp: 8500,
  validUntil: now + 10_000,
})

async function* ordersOf(member: MemberClient): AsyncGenerator<Order> {
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: OrderList = (
      await member.get<OrderList>(`/orders?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    ).body
    yield* page.items
    cursor = page.nextCursor
  }
}

async function resettleOrder(
  market: RunningMarket,
  order: Order,
  seed: number,
  comparison: Comparison,
): Promise<void> {
  const { productId, acceptedAt, closeAt, terms, direction } = order
  const { priceDecimals } = terms
  const amount = moneyOf(order.amount)
  const { ticks, complete } = await market.ticksBetween(productId, acceptedAt, closeAt, ticksMax)
  if (!complete) throw new Error('more ticks than one page')
  const toSettleTick = ([seq, at, price]: WireTick): SettleTick => ({
    seq,
    at,
    price: parsePrice(price, priceDecimals) ?? priceUnits(0),
  })
  const result = settle(
    terms,
    { direction, amount, acceptedAt, closeAt },
    ticks.map(toSettleTick),
    await market.gaps(productId),
    market.sources(productId),
  )
  const recomputedOrder: Order = {
    ...order,
    status: result.status,
    entry: result.entry && fillOf(result.entry, priceDecimals),
    exit: result.exit && wireExitOf(result.exit, priceDecimals),
    payout: formatMoney(result.payout),
    pnl: formatMoney(result.pnl),
    reason: result.reason,
  }
  comparison.tried += 1
  const name = result.reason ?? result.status
  comparison.outcomes[name] = (comparison.outcomes[name] ?? 0) + 1
  const [stored, recomputed] = [JSON.stringify(order), JSON.stringify(recomputedOrder)]
  if (stored !== recomputed) comparison.violations.push(`seed ${seed}: ${stored} is now ${recomputed}`)
}
