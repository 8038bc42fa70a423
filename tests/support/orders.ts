import type { Order, PlaceOrder } from '../../contract/orders.ts'
import type { Guest, House } from './house.ts'
import { testProduct } from './market.ts'

export type OrderList = { items: Order[]; nextCursor: string | null }

/** An intent that the test market accepts, with changes. */
export const intent = (house: House, change: Partial<PlaceOrder> = {}): PlaceOrder => ({
  productId: testProduct.id,
  direction: 'up',
  amount: '10.00',
  seconds: 30,
  rateBp: change.seconds === 60 ? 8500 : 8000,
  validUntil: house.clock.now() + 10_000,
  ...change,
})

/** A fresh tick, so that the market takes orders. */
export function quote(house: House, price = 10_000): void {
  house.market.tick(house.clock.now(), price)
  house.market.flush()
}

/** Places an order; the answer without its head, as every later GET shows it. */
export async function placed(house: House, guest: Guest, change: Partial<PlaceOrder> = {}): Promise<Order> {
  const reply = await guest.post<Order>('/orders', intent(house, change))
  if (reply.status !== 201) throw new Error(`refused: ${reply.text}`)
  return withoutHead(reply.body)
}

/** An order as GET shows it: only the placing answer and events carry a head. */
export function withoutHead(order: Order): Order {
  const bare = { ...order }
  delete bare.head
  return bare
}

/** Moves time on in steps of a second with a tick each, as a calm market does. */
export async function run(
  house: House,
  ms: number,
  price: (at: number) => number = () => 10_000,
): Promise<void> {
  const end = house.clock.now() + ms
  while (house.clock.now() < end) {
    await house.clock.advance(Math.min(1000, end - house.clock.now()))
    house.market.tick(house.clock.now(), price(house.clock.now()))
    house.market.flush()
    await house.trading.idle()
  }
}

export async function orderNow(guest: Guest, id: string): Promise<Order> {
  return (await guest.get<Order>(`/orders/${id}`)).body
}
