import { moneyOf, formatMoney } from '../../contract/money.ts'
import { priceUnits } from '../../contract/brand.ts'
import type { WireTick } from '../../contract/chain.ts'
import type { Order } from '../../contract/orders.ts'
import { formatPrice, parsePrice } from '../../contract/price.ts'
import { settle } from '../../contract/settle.ts'
import type { SettleTick } from '../../contract/settle.ts'
import type { Database } from '../../server/db/open.ts'
import type { RunningMarket } from '../../server/market/market.ts'
import { manualClock } from './clock.ts'
import { openHouse } from './house.ts'
import type { Guest, House } from './house.ts'
import { openMarket, walking } from './marketRoom.ts'
import type { OrderList } from './orders.ts'
import { seededRandom } from './random.ts'
import type { Compared } from './settleOracle.ts'

const products = [walking('FAST', 20), walking('SLOW', 1, 7)]
const batch = 100
const stopEvery = 12
const ticksMax = 5000

/**
 * Lets the venue settle orders on its own market, with stops in between, then starts it once more and settles every
 * order again from the log as it stands in the database: each must come out byte by byte as it was told.
 */
export async function resettle(database: Database, count: number, seed: number): Promise<Compared> {
  const dice = seededRandom(seed)
  const clock = manualClock()
  let venue = await open(database, clock)
  const { secret } = venue.house
  const members: Guest[] = []
  for (let i = 0; i < 10; i++) members.push(await venue.house.join(moneyOf('900000.00')))
  const placed = new Set<string>()
  for (let turn = 1; placed.size < count; turn++) {
    const wanted = Math.min(batch, count - placed.size)
    const replies = await Promise.all(
      Array.from({ length: wanted }, () => {
        const member = members[Math.floor(dice.next() * members.length)]
        return venue.again(member).post<Order>('/orders', intent(clock.now(), dice))
      }),
    )
    for (const { status, body } of replies) if (status === 201) placed.add(body.id)
    await clock.advance(500 + Math.floor(dice.next() * 6000))
    if (turn % stopEvery > 0) continue
    await venue.close()
    await clock.advance(1000 + Math.floor(dice.next() * 20_000))
    venue = await open(database, clock, secret)
    await clock.advance(100)
  }
  await clock.advance(70_000)
  await venue.house.trading.idle()
  await venue.close()

  venue = await open(database, clock, secret)
  const compared: Compared = { tried: 0, seen: {}, broken: [] }
  for (const member of members) {
    for await (const order of ordersOf(venue.again(member))) await settleAgain(venue.market, order, compared)
  }
  await venue.close()
  if (compared.tried !== count) compared.broken.push(`${compared.tried} of ${count} orders were found again`)
  return compared
}

async function open(database: Database, clock: ReturnType<typeof manualClock>, secret?: Uint8Array) {
  const market = await openMarket(database.db, clock, products)
  const house: House = await openHouse(database, { clock, ownMarket: market, ...(secret && { secret }) })
  await house.trading.start()
  market.start()
  await clock.advance(100)
  return {
    market,
    house,
    /** A member's calls at this life of the venue. */
    again: (member: Guest | undefined): Guest => {
      if (!member) throw new Error('no member')
      return house.guest(member.id, member.sid, member.token)
    },
    close: async (): Promise<void> => {
      await house.trading.stop()
      await market.stop()
      await house.close()
      if (house.faults.length > 0) throw new AggregateError(house.faults, 'the venue reported faults')
    },
  }
}

const intent = (now: number, dice: { next(): number }) => ({
  productId: dice.next() < 0.6 ? 'FAST' : 'SLOW',
  direction: dice.next() < 0.5 ? 'up' : 'down',
  amount: `${1 + Math.floor(dice.next() * 50)}.${String(Math.floor(dice.next() * 100)).padStart(2, '0')}`,
  seconds: 60,
  rateBp: 8500,
  validUntil: now + 10_000,
})

async function* ordersOf(member: Guest): AsyncGenerator<Order> {
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: OrderList = (
      await member.get<OrderList>(`/orders?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    ).body
    yield* page.items
    cursor = page.nextCursor
  }
}

async function settleAgain(market: RunningMarket, order: Order, compared: Compared): Promise<void> {
  const { productId, acceptedAt, closeAt, terms, direction } = order
  const { priceDecimals } = terms
  const amount = moneyOf(order.amount)
  const { ticks, complete } = await market.ticksBetween(productId, acceptedAt, closeAt, ticksMax)
  if (!complete) throw new Error('more ticks than one page')
  const unit = ([seq, at, price]: WireTick): SettleTick => ({
    seq,
    at,
    price: parsePrice(price, priceDecimals) ?? 0,
  })
  const result = settle(
    terms,
    { direction, amount, acceptedAt, closeAt },
    ticks.map(unit),
    await market.gaps(productId),
    market.sources(productId),
  )
  const fill = (tick: SettleTick | null) =>
    tick && { ...tick, price: formatPrice(priceUnits(tick.price), priceDecimals) }
  const again: Order = {
    ...order,
    status: result.status,
    entry: fill(result.entry),
    exit: fill(result.exit),
    payout: formatMoney(result.payout),
    pnl: formatMoney(result.pnl),
    reason: result.reason,
  }
  compared.tried += 1
  const name = result.reason ?? result.status
  compared.seen[name] = (compared.seen[name] ?? 0) + 1
  const [told, now] = [JSON.stringify(order), JSON.stringify(again)]
  if (told !== now) compared.broken.push(`${told} is now ${now}`)
}
