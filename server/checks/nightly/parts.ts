import type { Market } from '../../market/index.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import type { Clock, Report } from '../../platform/ports.ts'

export type NightlyChecksParts = {
  db: Db
  fence: Fence
  clock: Clock
  market: Pick<Market, 'ids' | 'settings' | 'gaps' | 'flushedAt'>
  actLog: Pick<ActLog, 'write'>
  report: Report
}
