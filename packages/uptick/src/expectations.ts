import { settlementDeadlineMs } from '../../../contract/constants.ts'
import { isFinal, type Order } from '../../../contract/orders.ts'
import { formatPrice } from '../../../contract/price.ts'
import { secondMs } from '../../../contract/time.ts'
import type { Quote } from '../../../streams/index.ts'
import type { createFakeVenue } from './fakeVenue.ts'

export type ExpectedQuote = { price?: string } & Partial<
  Pick<Quote, 'at' | 'seq' | 'move' | 'feed' | 'stale'> & Pick<Quote['ticker'], 'status'>
>

/** Plays on until an order is settled. */
export async function orderSettled(
  { venue: { orders }, refusal }: Pick<ReturnType<typeof createFakeVenue>, 'venue' | 'refusal'>,
  now: () => number,
  playTo: (instant: number) => Promise<void>,
  id: string | undefined,
): Promise<Order> {
  const find = (): Order | undefined => orders().find((order) => id === undefined || order.id === id)
  const { closeAt } = find() ?? {}
  if (closeAt === undefined)
    throw new RangeError(id === undefined ? `no order was placed${refusal()}` : `no order ${id}`)
  await playTo(Math.max(closeAt, now()))
  for (let order = find(); ; order = find()) {
    if (order && (isFinal(order.status) || now() > closeAt + settlementDeadlineMs + secondMs)) return order
    await playTo(now() + secondMs)
  }
}

/** @throws Error that names each value which differs */
export function assertQuote(quote: Quote | undefined, expected: ExpectedQuote, id: string): void {
  if (!quote) throw new Error(`${id} has no quote yet: play first`)
  const { status } = quote.ticker
  const actual: Record<string, unknown> = {
    ...quote,
    status,
    price: formatPrice(quote.price, quote.priceDecimals),
  }
  const wrong = Object.entries(expected).filter(([name, value]) => actual[name] !== value)
  if (wrong.length === 0) return
  const texts = wrong.map(([name, value]) => `${name} is ${String(actual[name])}, expected ${String(value)}`)
  throw new Error(`${id} at ${quote.at}: ${texts.join('; ')}`)
}
