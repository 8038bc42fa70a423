import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** Who works on an item of a queue, and until when. */
export const queueClaim = pgTable(
  'queue_claim',
  {
    queue: text().notNull(),
    itemId: text('item_id').notNull(),
    claimedBy: text('claimed_by').notNull(),
    untilAt: bigint('until_at', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.queue, table.itemId] })],
)

export type SealedKind = 'name' | 'idNumber' | 'payee'

/** A keyed hash of a sealed field, by which the back office finds its member. */
export const sealedIndex = pgTable(
  'sealed_index',
  {
    kind: text().$type<SealedKind>().notNull(),
    hash: text().notNull(),
    memberId: text('member_id').notNull(),
    rowId: text('row_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.hash, table.rowId] })],
)
