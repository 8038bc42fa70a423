import { proxy, useSnapshot } from 'valtio'
import type { Order } from '../../contract/orders.ts'

/** The terms of an earlier order, to be placed again; `askedAt` on the monotonic clock, ms. */
export type RepeatedTerms = Pick<Order, 'productId' | 'direction' | 'amount' | 'seconds' | 'rateBp'> & {
  askedAt: number
}

/** The ticket being edited. It stays the same between products, but not across visits. */
export type Ticket = {
  /** As typed: the contract's amount rules parse it. Undefined until it is edited. */
  amount: string | undefined
  /** The chosen duration of each product, seconds. */
  seconds: Record<string, number>
  /** Set until the product's page has opened the confirmation with them. */
  again: RepeatedTerms | undefined
}

export const ticket = proxy<Ticket>({ amount: undefined, seconds: {}, again: undefined })

export const useTicket = (): Ticket => useSnapshot(ticket)
