import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  integer,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import type { Terms } from '../../contract/settle.ts'
import { bytea } from '../platform/db/bytea.ts'

/** Epoch milliseconds, a sequence number or a price in units: 64 bits in the database, a safe integer in code. */
const int8 = (name: string) => bigint(name, { mode: 'number' })

/** Packed rows are read as the driver gives them. */
const packed = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** The terms that all durations of a product share. The columns of rule R2 are null for R1. */
export const termColumns = () => ({
  rule: text().$type<Terms['rule']>().notNull(),
  priceDecimals: integer('price_decimals').notNull(),
  entryTimeoutMs: integer('entry_timeout_ms').notNull(),
  maxTickGapMs: integer('max_tick_gap_ms').notNull(),
  entryDelayMs: integer('entry_delay_ms'),
  exitWindowMs: integer('exit_window_ms'),
  exitCutBp: integer('exit_cut_bp'),
  exitMinTicks: integer('exit_min_ticks'),
})

/** A product in the log. `ix` is its number in socket frames and rows; `firstAt` is when its log began. */
export const feedProduct = pgTable('feed_product', {
  ix: integer().primaryKey(),
  id: text().notNull().unique(),
  priceDecimals: integer('price_decimals').notNull(),
  sizeDecimals: integer('size_decimals').notNull(),
  firstAt: int8('first_at').notNull(),
})

/** The source of a product's ticks since an instant, and the epoch of its replay; the newest row of a product applies. */
export const feedSource = pgTable(
  'feed_source',
  {
    ix: integer().notNull(),
    sinceAt: int8('since_at').notNull(),
    epochAt: int8('epoch_at').notNull(),
    fingerprint: text().notNull(),
    label: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ix, table.sinceAt] })],
)

/**
 * The terms of a product's orders of one duration from `sinceAt` on, until a newer row: of an order's columns those that the
 * product decides, and the least and highest stake in minor units.
 */
export const productTerms = pgTable(
  'product_terms',
  {
    productId: text('product_id').notNull(),
    seconds: integer().notNull(),
    sinceAt: int8('since_at').notNull(),
    offered: boolean().notNull(),
    rateBp: integer('rate_bp').notNull(),
    minAmount: int8('min_amount').notNull(),
    maxAmount: int8('max_amount').notNull(),
    ...termColumns(),
    source: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.productId, table.seconds, table.sinceAt] })],
)
export type ProductTermsRow = typeof productTerms.$inferSelect

/** Gaps in the feed: the instants t with fromAt < t ≤ toAt. */
export const feedGap = pgTable(
  'feed_gap',
  { ix: integer().notNull(), fromAt: int8('from_at').notNull(), toAt: int8('to_at').notNull() },
  (table) => [primaryKey({ columns: [table.ix, table.fromAt] })],
)

/** How orders stood that were refunded because of a gap (`at` is its `fromAt`) or a change of source (its `sinceAt`). */
export const refundTally = pgTable(
  'refund_tally',
  {
    productId: text('product_id').notNull(),
    cause: text().$type<'gap' | 'source'>().notNull(),
    at: int8('at').notNull(),
    ahead: int8('ahead').notNull(),
    behind: int8('behind').notNull(),
    level: int8('level').notNull(),
    /** What they would have won or lost, in minor units. */
    pnl: int8('pnl').notNull(),
  },
  (table) => [primaryKey({ columns: [table.productId, table.cause, table.at] })],
)

/** Maintenance; and for a product that left the product table, until when its log reaches. */
export const productState = pgTable('product_state', {
  id: text().primaryKey(),
  maintenance: boolean().notNull(),
  opensAt: int8('opens_at'),
  retiredAt: int8('retired_at'),
})

/** One flush: `at` is its watermark, `data` all products' ticks and their heads after it, `term` the leader's term. */
export const tickBatch = pgTable('tick_batch', {
  id: int8('id').primaryKey(),
  at: int8('at').notNull(),
  data: packed().notNull(),
  term: int8('term').notNull(),
})

/** A compacted run of one product's ticks, with the chain's hash before and after it. */
export const tickChunk = pgTable(
  'tick_chunk',
  {
    ix: integer().notNull(),
    seq0: int8('seq0').notNull(),
    seq1: int8('seq1').notNull(),
    at0: int8('at0').notNull(),
    at1: int8('at1').notNull(),
    hashBefore: packed('hash_before').notNull(),
    hashAfter: packed('hash_after').notNull(),
    data: packed().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ix, table.seq0] })],
)

/** The buckets of one minute, all products together, until their hour is over. */
export const minuteRow = pgTable('minute_row', {
  openAt: int8('open_at').primaryKey(),
  data: packed().notNull(),
})

/** One product's hour: its candle (prices and volume in units) and the minute buckets in it. */
export const bucketHour = pgTable(
  'bucket_hour',
  {
    ix: integer().notNull(),
    openAt: int8('open_at').notNull(),
    open: int8('open').notNull(),
    high: int8('high').notNull(),
    low: int8('low').notNull(),
    close: int8('close').notNull(),
    volume: doublePrecision().notNull(),
    lastSeq: int8('last_seq').notNull(),
    minutes: packed().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ix, table.openAt] })],
)

/** One cut of a damaged log: the place of the corrupt row, and the reason. */
export const logCut = pgTable('log_cut', {
  id: int8('id').primaryKey().generatedAlwaysAsIdentity(),
  at: int8('at').notNull(),
  place: text().notNull(),
  why: text().notNull(),
})

/** Where the chain of a product continues after a cut: the head that was public before it. */
export const logResume = pgTable(
  'log_resume',
  {
    cutId: int8('cut_id').notNull(),
    ix: integer().notNull(),
    seq: int8('seq').notNull(),
    at: int8('at').notNull(),
    hash: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.cutId, table.ix] })],
)

/** The original rows of flushes that were cut. */
export const cutBatch = pgTable(
  'cut_batch',
  {
    cutId: int8('cut_id').notNull(),
    id: int8('id').notNull(),
    at: int8('at').notNull(),
    data: bytea().notNull(),
    term: int8('term').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cutId, table.id] })],
)

/** The original rows of chunks that were cut. */
export const cutChunk = pgTable(
  'cut_chunk',
  {
    cutId: int8('cut_id').notNull(),
    ix: integer().notNull(),
    seq0: int8('seq0').notNull(),
    seq1: int8('seq1').notNull(),
    at0: int8('at0').notNull(),
    at1: int8('at1').notNull(),
    hashBefore: bytea('hash_before').notNull(),
    hashAfter: bytea('hash_after').notNull(),
    data: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.cutId, table.ix, table.seq0] })],
)

/** A leaf of the public log; `data` is its text as the difference from the leaf before (`packedLeaf.ts`). */
export const logLeaf = pgTable('log_leaf', {
  ix: int8('ix').primaryKey(),
  at: int8('at').notNull(),
  data: bytea().notNull(),
})

/** The root of a full tile: the hash of number `ix` at `level`, which is 1 or higher. Leaves' hashes follow from their texts. */
export const logNode = pgTable(
  'log_node',
  { level: integer().notNull(), ix: int8('ix').notNull(), hash: bytea().notNull() },
  (table) => [primaryKey({ columns: [table.level, table.ix] })],
)

/** The newest checkpoint signed by the log, and the newest one that a witness cosigned; `at` is its last leaf's. */
export const logCheckpoint = pgTable('log_checkpoint', {
  kind: text().$type<'signed' | 'witnessed'>().primaryKey(),
  origin: text().notNull(),
  size: int8('size').notNull(),
  at: int8('at').notNull(),
  note: text().notNull(),
})
export type CheckpointRow = typeof logCheckpoint.$inferSelect
