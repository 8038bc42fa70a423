import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea } from './bytea.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

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
