import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea } from './bytea.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** One cut of a damaged log: the broken row's place, and why it was broken. */
export const logCut = pgTable('log_cut', {
  id: int8('id').primaryKey().generatedAlwaysAsIdentity(),
  at: int8('at').notNull(),
  place: text().notNull(),
  why: text().notNull(),
})

/** Where the chain of a product goes on after a cut: the head that was public before it. */
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
