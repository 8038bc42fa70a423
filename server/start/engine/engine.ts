import type { ReadMarket } from '../../market/index.ts'
import type { OrderProcessor } from '../../trading/index.ts'

/**
 * Reads the feeds, writes the tick log and settles orders. This is its interface for the rest of the venue. It runs in
 * its own thread with its own database connection, so that no load on requests or sockets delays a flush.
 */
export type Engine = {
  /** Follows the tick log; read only. */
  market: ReadMarket
  processor: OrderProcessor
  /** Moves the business calendar ahead of the venue's clock by this many ms: it decides the day a result counts for. */
  setCalendarOffset(offsetMs: number): void
  /**
   * Recovers the orders that are not settled, and starts to flush.
   * @throws SettingsError if the product table lacks a product that has such orders
   */
  start(): Promise<void>
  /** Waits for orders that are being settled, and commits the ticks that are due. */
  stop(): Promise<void>
}
