import type { MessagePort } from 'node:worker_threads'
import type { DatabaseAddress } from '../db/database.ts'
import type { OrderRow } from '../db/schema/order.ts'
import type { FeedSettings } from '../feed/loadProducts.ts'
import type { ProductRow } from '../feed/products.ts'
import type { Commit, Compacted } from '../market/commit.ts'
import type { RegisteredProduct } from '../market/registration.ts'
import type { LogEnd } from '../market/writer.ts'
import type { LedgerChanges } from '../trading/settleStatement.ts'
import type { SerializedError } from './errors.ts'

/** What the engine's thread starts with. */
export type EngineSettings = {
  database: DatabaseAddress
  /** The checked product table. */
  products: readonly ProductRow[]
  feeds: FeedSettings
  /** Epoch milliseconds less those of the machine's monotonic clock: both threads tell the same time. */
  clockOffsetMs: number
  zone: string
  tickRetentionMs: number
  /** The leader's term. */
  term: number
}

/** A registered product without its source, which cannot travel; the receiver has the same table. */
export type RegisteredProductRow = Omit<RegisteredProduct, 'product'> & { id: string }

export type EngineCommand =
  | { kind: 'start' }
  | { kind: 'stop' }
  | { kind: 'calendar'; offsetMs: number }
  | { kind: 'follow'; rows: readonly OrderRow[] }
  | { kind: 'pick up' }

export type EngineEvent =
  /** The log is open; nothing is written until `start`. */
  | { kind: 'ready'; registered: readonly RegisteredProductRow[]; end: LogEnd; catchesUp: boolean }
  | { kind: 'started' }
  | { kind: 'stopped' }
  | { kind: 'failed'; error: SerializedError }
  | { kind: 'commit'; commit: Commit }
  | { kind: 'compacted'; compacted: Compacted }
  | { kind: 'dropped'; count: number }
  | { kind: 'opened'; row: OrderRow }
  | { kind: 'settled'; rows: readonly OrderRow[]; moved: LedgerChanges }
  | { kind: 'report'; what: string; error: SerializedError }
  | { kind: 'warn'; what: string }

/** What of the settings must be handed over instead of copied. */
export function transferablesOf({ database }: EngineSettings): MessagePort[] {
  return database.kind === 'embedded' ? [database.port] : []
}
