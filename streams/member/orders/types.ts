/** What is stored and shown of an order, from its draft to its end. */
import type { Minor, PriceUnits } from '../../../contract/units.ts'
import type { Direction, Order } from '../../../contract/orders.ts'
import type { MeanExit } from '../../../contract/settle.ts'

export type Countdown = { phase: 'running' | 'settling' | 'done'; remainingMs: number; totalMs: number }
/**
 * Minor units "if it ended now"; undefined while there is no entry, or the price is stale. It is based on the newest
 * price, or by rule R2 inside the order's window on the mean so far: one of the two is set.
 */
export type LivePnl = {
  pnl: Minor | undefined
  price: PriceUnits | undefined
  mean: MeanExit | undefined
}

export type StoredPlacement = {
  /** Created and stored before sending, so that a double tap, a retry and a reload place one order. */
  key: string
  productId: string
  direction: Direction
  /** The contract's money string. */
  amount: string
  seconds: number
  rateBp: number
  validUntil: number
  /** The member who was shown the terms: the order is refused if another one has logged in meanwhile. */
  openedFor?: string | undefined
}
export type OrderDraft = Omit<StoredPlacement, 'key' | 'validUntil'>

/** `noticedAt`: when this client learned of it, on the monotonic clock. */
export type EndedOrder = { order: Order; noticedAt: number }
