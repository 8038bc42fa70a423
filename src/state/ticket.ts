import { proxy, useSnapshot } from 'valtio'

/** The ticket being edited. It stays the same between products, but not across visits. */
export type Ticket = {
  /** As typed: the contract's amount rules parse it. Undefined until it is edited. */
  amount: string | undefined
  /** The chosen duration of each product, seconds. */
  seconds: Record<string, number>
}

export const ticket = proxy<Ticket>({ amount: undefined, seconds: {} })

export const useTicket = (): Ticket => useSnapshot(ticket)
