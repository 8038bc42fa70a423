import { proxy, useSnapshot } from 'valtio'

/** The order being written, kept while the member looks elsewhere in the app. One amount for all products. */
export type Ticket = {
  /** As typed. */
  amount: string
  /** The duration last chosen, in seconds, by product. */
  seconds: Record<string, number>
}

export const ticket = proxy<Ticket>({ amount: '', seconds: {} })
export const useTicket = (): Ticket => useSnapshot(ticket) as Ticket
