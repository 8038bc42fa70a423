import type { Database } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { createZoneCalendar } from '../../money/index.ts'
import type { RunningMarket } from '../../market/index.ts'
import type { Clock } from '../../platform/ports.ts'
import { createOrderProcessor, type RunningOrderProcessor } from '../../trading/index.ts'
import type { Engine } from './engine.ts'

export type LocalEngineParts = {
  database: Pick<Database, 'db' | 'pool'>
  fence: Fence
  clock: Clock
  market: RunningMarket
  /** The IANA zone of the business calendar. */
  zone: string
  report: (what: string, error: unknown) => void
}

/** An engine in the calling thread, whose work in progress can be awaited. */
export type LocalEngine = Engine & { processor: RunningOrderProcessor }

export function createLocalEngine({
  database,
  fence,
  clock,
  market,
  zone,
  report,
}: LocalEngineParts): LocalEngine {
  let offsetMs = 0
  const calendar = createZoneCalendar(zone, () => offsetMs)
  const processor = createOrderProcessor({ database, fence, clock, calendar, market, report })
  return {
    market,
    processor,
    setCalendarOffset: (ms) => {
      offsetMs = ms
    },
    start: async () => {
      await processor.start()
      market.start()
    },
    stop: async () => {
      await processor.stop()
      await market.stop()
    },
  }
}
