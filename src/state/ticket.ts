import { proxy, useSnapshot } from 'valtio'

/** The ticket being edited. It stays the same between products, but not across visits. */
export type Ticket = {
  /** As typed: the contract's amount rules parse it. */
  amount: string
  /** The chosen duration of each product, seconds. */
  seconds: Record<string, number>
}

export const ticket = proxy<Ticket>({ amount: '100.00', seconds: {} })

export const useTicket = (): Ticket => useSnapshot(ticket)
