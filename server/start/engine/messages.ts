import type { MessagePort } from 'node:worker_threads'
import type { BusAddress } from '../../platform/cluster/openBus.ts'
import type { DatabaseAddress } from '../../platform/db/address.ts'
import type { OrderRow, LedgerChanges } from '../../trading/index.ts'
import type {
  FeedSettings,
  PreparedReplay,
  ProductRow,
  Commit,
  Compacted,
  RegisteredProduct,
  LogEnd,
  WriterCounts,
} from '../../market/index.ts'
import type { LogLevel } from '../../platform/ports.ts'
import type { PublishedSettings } from '../publishedSettings.ts'
import type { SerializedError } from './errors.ts'

/** The worker data of the engine's thread. */
export type EngineSettings = {
  database: DatabaseAddress
  /** The validated product table. */
  products: readonly ProductRow[]
  feeds: FeedSettings
  /** What the main thread has read for them. */
  replays: Map<string, PreparedReplay>
  zone: string
  tickRetentionMs: number
  published: PublishedSettings
  /** Where the flushes are sent to the other nodes; null if there are none. */
  bus: BusAddress | null
}

/** What the engine's thread needs once its process leads. */
export type Leading = {
  /** The leader's term. */
  term: number
  /** Epoch milliseconds minus the machine's monotonic clock: with it both threads have the same time. */
  clockOffsetMs: number
}

/** A registered product without its source: a source cannot be cloned, and the receiver has the same table. */
export type RegisteredProductRow = Omit<RegisteredProduct, 'product'> & { id: string }

export type EngineCommand =
  /** Opens the log to write it. */
  | ({ kind: 'lead' } & Leading)
  /** Listens to the live sources, for a later `lead`. The offset is as of `Leading`, and the leader's time is not before it. */
  | { kind: 'stand by'; clockOffsetMs: number }
  /** To a standby node: a newer offset. */
  | { kind: 'observe'; clockOffsetMs: number }
  | { kind: 'start' }
  | { kind: 'stop' }
  | { kind: 'calendar'; offsetMs: number }
  | { kind: 'follow'; rows: readonly OrderRow[] }
  | { kind: 'recover placements' }

export type EngineEvent =
  /** The log is open; nothing is written until `start`. */
  | { kind: 'ready'; registered: readonly RegisteredProductRow[]; end: LogEnd; isCatchingUp: boolean }
  | { kind: 'started' }
  | { kind: 'stopped' }
  | { kind: 'failed'; error: SerializedError }
  | { kind: 'commit'; commit: Commit }
  | { kind: 'compacted'; compacted: Compacted }
  | ({ kind: 'counts' } & WriterCounts)
  | { kind: 'opened'; row: OrderRow }
  | { kind: 'settled'; rows: readonly OrderRow[]; ledgerChanges: LedgerChanges }
  | { kind: 'report'; what: string; error: SerializedError }
  | { kind: 'log'; level: LogLevel; what: string }

/** The parts of the settings that are transferred, not copied. */
export function transferablesOf({ database }: EngineSettings): MessagePort[] {
  return database.kind === 'embedded' ? [database.port] : []
}
