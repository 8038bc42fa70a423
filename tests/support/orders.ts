import { epochMs } from '../../contract/units.ts'
import type { Order, PlaceRequest } from '../../contract/orders.ts'
import { testProduct, type FakeMarket } from './fakeMarket.ts'
import type { ManualClock } from './manualClock.ts'
import type { MemberClient } from './apiCalls.ts'

/** What of a venue these functions use. */
type OrderVenue = { clock: ManualClock; market: FakeMarket; trading: { idle(): Promise<void> } }

export type OrderList = { items: Order[]; nextCursor: string | null }

/** An order request that the test market accepts, with changes. */
export const orderRequest = (
  venue: Pick<OrderVenue, 'clock'>,
  change: Partial<PlaceRequest> = {},
): PlaceRequest => ({
  productId: testProduct.id,
  direction: 'up',
  amount: '10.00',
  seconds: 30,
  rateBp: change.seconds === 60 ? 8500 : 8000,
  validUntil: epochMs(venue.clock.now() + 10_000),
  ...change,
})

/** A fresh tick, so that the market accepts orders. */
export function tickOnce(venue: OrderVenue, price = 10_000): void {
  venue.market.tick(venue.clock.now(), price)
  venue.market.flush()
}

/** Places an order; returns the answer without its head, as every later GET returns it. */
export async function placeOrder(
  venue: Pick<OrderVenue, 'clock'>,
  member: MemberClient,
  change: Partial<PlaceRequest> = {},
): Promise<Order> {
  const reply = await member.post<Order>('/orders', orderRequest(venue, change))
  if (reply.status !== 201) throw new Error(`rejected: ${reply.text}`)
  return asListed(reply.body)
}

/** An order as a list has it, without what only other answers and events carry: head and receipt. */
export function asListed(order: Order): Order {
  const { head: _head, receipt: _receipt, receiptSalt: _salt, ...bare } = order
  return bare
}

/** Advances time in steps of a second with a tick each, as in a calm market. */
export async function runMarket(
  venue: OrderVenue,
  ms: number,
  price: (at: number) => number = () => 10_000,
): Promise<void> {
  const end = venue.clock.now() + ms
  while (venue.clock.now() < end) {
    await venue.clock.advance(Math.min(1000, end - venue.clock.now()))
    venue.market.tick(venue.clock.now(), price(venue.clock.now()))
    venue.market.flush()
    await venue.trading.idle()
  }
}

export async function fetchOrder(member: MemberClient, id: string): Promise<Order> {
  return asListed((await member.get<Order>(`/orders/${id}`)).body)
}
