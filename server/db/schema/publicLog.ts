import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea } from './bytea.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

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
