import type { ReadMarket } from '../market/market.ts'
import type { OrderProcessor } from '../trading/processor.ts'

/**
 * What reads the feeds, writes the tick log and settles orders, as the rest of the venue sees it. It runs in a thread
 * of its own with a database connection of its own, so that no load on calls or sockets makes a flush late.
 */
export type Engine = {
  /** Follows the tick log; reads only. */
  market: ReadMarket
  processor: OrderProcessor
  /** Moves the business calendar ahead of the venue's clock by this many ms, for the days on which results count. */
  setCalendarOffset(offsetMs: number): void
  /**
   * Picks up the orders that are not settled, and begins to flush.
   * @throws SettingsError if the product table lacks a product that has such orders
   */
  start(): Promise<void>
  /** Waits for what is being decided, and commits what is due. */
  stop(): Promise<void>
}
