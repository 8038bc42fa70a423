import * as z from 'zod/mini'
import { catch as fallback } from 'zod/mini'
import { proxy, subscribe, useSnapshot } from 'valtio'
import { amountPattern } from '../../contract/money.ts'
import type { Direction, Order } from '../../contract/orders.ts'
import { session } from './session.ts'
import { readJson, writeText } from './storage.ts'

const storageKey = 'ticket'

/** The terms of an earlier order, to be placed again; `askedAt` on the monotonic clock, ms. */
export type RepeatedTerms = Pick<Order, 'productId' | 'direction' | 'amount' | 'seconds' | 'rateBp'> & {
  askedAt: number
}

const stored = z.object({
  memberId: fallback(z.optional(z.string()), undefined),
  usualAmount: fallback(z.optional(z.string().check(z.regex(amountPattern))), undefined),
  amounts: fallback(z.record(z.string(), z.string().check(z.regex(amountPattern))), {}),
  seconds: fallback(z.record(z.string(), z.int()), {}),
})

/** The ticket being edited, and what each product's starts with, also on later visits. */
export type Ticket = {
  /** As typed: the contract's amount rules parse it. Undefined until it is edited, and once an order with it is confirmed. */
  amount: string | undefined
  /** The amount entered last, as the contract's money string: other products start with it. Never all that was available. */
  usualAmount: string | undefined
  /** The same of each product. */
  amounts: Record<string, string>
  /** The chosen duration of each product, seconds. */
  seconds: Record<string, number>
  /** The direction of a one-tap order until the venue has answered. */
  placing: Direction | undefined
  /** Set until the product's page has opened the confirmation with them. */
  again: RepeatedTerms | undefined
}

type Kept = Pick<Ticket, 'usualAmount' | 'amounts' | 'seconds'>
const nothingKept = (): Kept => ({ usualAmount: undefined, amounts: {}, seconds: {} })

function load(): Kept {
  const { data } = z.safeParse(stored, readJson(storageKey))
  // What one member chose is not shown to another.
  if (data?.memberId !== session.userInfo?.id) return nothingKept()
  return { usualAmount: data?.usualAmount, amounts: data?.amounts ?? {}, seconds: data?.seconds ?? {} }
}

export const ticket = proxy<Ticket>({ amount: undefined, placing: undefined, again: undefined, ...load() })

export function persistTicket(): () => void {
  return subscribe(ticket, () => {
    const { usualAmount, amounts, seconds } = ticket
    writeText(storageKey, JSON.stringify({ memberId: session.userInfo?.id, usualAmount, amounts, seconds }))
  })
}

/** What one member typed is not shown to another. */
export const emptyTicket = (): void =>
  void Object.assign(ticket, { amount: undefined, again: undefined, ...nothingKept() })

/** A product's ticket starts with this amount from now on, and those of products without one of their own. */
export function keepAmount(productId: string, amount: string): void {
  ticket.usualAmount = amount
  ticket.amounts[productId] = amount
}

export const useTicket = (): Ticket => useSnapshot(ticket)
