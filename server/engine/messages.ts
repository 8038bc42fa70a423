import type { MessagePort } from 'node:worker_threads'
import type { DatabaseAddress } from '../db/database.ts'
import type { OrderRow } from '../db/schema/order.ts'
import type { FeedSettings } from '../feed/load.ts'
import type { ProductRow } from '../feed/products.ts'
import type { Commit, Sealed } from '../market/commit.ts'
import type { Registered } from '../market/registration.ts'
import type { LogEnd } from '../market/writer.ts'
import type { Moved } from '../trading/settleStatement.ts'
import type { PackedError } from './errors.ts'

/** What the engine's thread starts with. */
export type EngineSettings = {
  database: DatabaseAddress
  /** The checked product table. */
  products: readonly ProductRow[]
  feeds: FeedSettings
  /** Epoch milliseconds less those of the machine's monotonic clock: both threads tell the same time. */
  clockOffsetMs: number
  zone: string
  ticksKeepMs: number
  /** The leader's term. */
  term: number
}

/** A registered product without its source, which cannot travel; the receiver has the same table. */
export type RegisteredRow = Omit<Registered, 'product'> & { id: string }

export type ToEngine =
  | { kind: 'start' }
  | { kind: 'stop' }
  | { kind: 'calendar'; offsetMs: number }
  | { kind: 'follow'; rows: readonly OrderRow[] }
  | { kind: 'pick up' }

export type FromEngine =
  /** The log is open; nothing is written until `start`. */
  | { kind: 'ready'; registered: readonly RegisteredRow[]; end: LogEnd; catchesUp: boolean }
  | { kind: 'started' }
  | { kind: 'stopped' }
  | { kind: 'failed'; error: PackedError }
  | { kind: 'commit'; commit: Commit }
  | { kind: 'sealed'; sealed: Sealed }
  | { kind: 'dropped'; count: number }
  | { kind: 'opened'; row: OrderRow }
  | { kind: 'settled'; rows: readonly OrderRow[]; moved: Moved }
  | { kind: 'report'; what: string; error: PackedError }
  | { kind: 'tell'; what: string }

/** What of the settings must be handed over instead of copied. */
export function transferOf({ database }: EngineSettings): MessagePort[] {
  return database.kind === 'embedded' ? [database.port] : []
}
