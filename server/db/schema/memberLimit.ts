import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { SelfLimitField } from '../../../contract/selfLimits.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/**
 * One limit that a member set: minor units, or the business instant of `excludedUntil`; null is no limit. From the
 * business instant `nextAt` on, `nextValue` applies instead.
 */
export const memberLimit = pgTable(
  'member_limit',
  {
    memberId: text('member_id').notNull(),
    field: text().$type<SelfLimitField>().notNull(),
    value: int8('value'),
    nextValue: int8('next_value'),
    nextAt: int8('next_at'),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.field] })],
)
export type MemberLimitRow = typeof memberLimit.$inferSelect
