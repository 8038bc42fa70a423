import type { Engine } from './engine.ts'
import type { EngineThread } from './engineThread.ts'
import type { OrderProcessor } from '../../trading/index.ts'
import type { NodeMarket } from '../../market/index.ts'

/** On a node that never leads no order is processed. */
const noProcessor: OrderProcessor = {
  follow: () => undefined,
  recoverPlacements: () => undefined,
  onOpened: () => () => undefined,
  onSettled: () => () => undefined,
}

/**
 * The engine of a node: its market follows the leader's log; its thread, if the node may lead, writes once it leads.
 * @param thread null if the node never leads; it is started and stopped by the caller, which decides whether the node leads
 */
export function createNodeEngine({ market }: NodeMarket, thread: EngineThread | null): Engine {
  return {
    market: {
      ...market,
      dropped: () => thread?.counts.dropped ?? 0,
      failedFlushes: () => thread?.counts.failedFlushes ?? 0,
    },
    processor: thread?.processor ?? noProcessor,
    setCalendarOffset: (offsetMs) => thread?.setCalendarOffset(offsetMs),
    start: async () => undefined,
    stop: async () => undefined,
  }
}
