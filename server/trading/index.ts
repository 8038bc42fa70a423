/**
 * Trading: timed orders from the tap to the result, price alerts, the totals of results, and whether the venue takes
 * orders. It owns the tables of orders, results and alerts.
 *
 * Read an order's way: `orders/trading.ts` (routes and events), `orders/placement.ts` and `placeStatement.ts` (one
 * statement places it), `orders/processor.ts` (entry), `orders/settlement.ts` and `settleStatement.ts` (result);
 * `contract/settle.ts` decides it. `orders/remotePlacer.ts` is a node that does not lead. Price alerts:
 * `priceAlerts/alertJudge.ts` decides by the commits that one is reached, `alertWriter.ts` takes it from its table and writes its
 * message in one statement.
 */
export { fillColumns, toOrder, toSettleOrder, toTerms } from './orders/orderRow.ts'
export { createOrderProcessor, type OrderProcessor, type RunningOrderProcessor } from './orders/processor.ts'
export { proofRanges } from './orders/proofRanges.ts'
export { answerPlacements, createRemotePlacer } from './orders/remotePlacer.ts'
export {
  type CheckedOrders,
  checkResults,
  everyOrder,
  type LogCut,
  readLogCuts,
} from './orders/resultCheck.ts'
export { createResultOutbox } from './orders/resultOutbox.ts'
export type { LedgerChanges } from './orders/settleStatement.ts'
export { assertProductsListed, assertSourcesUnchanged } from './orders/sourceChange.ts'
export { createTrading, type Trading } from './orders/trading.ts'
export { createPriceAlerts, type PriceAlerts } from './priceAlerts/priceAlerts.ts'
export { createResults } from './results/results.ts'
export { type OrderRow, orders, outcomeTally, priceAlert } from './schema.ts'
export { openVenueStatus, type VenueStatusStore } from './venueStatus/venueStatus.ts'
