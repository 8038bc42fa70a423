import { bigint, pgTable, text } from 'drizzle-orm/pg-core'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** The exclusion of a closed account, by the keyed hash of its phone: a new account with this phone has it too. */
export const keptExclusion = pgTable('kept_exclusion', {
  phoneHash: text('phone_hash').primaryKey(),
  value: int8('value'),
  nextValue: int8('next_value'),
  nextAt: int8('next_at'),
})

/** Closed accounts whose verifications and payouts are erased. */
export const erasedMember = pgTable('erased_member', {
  memberId: text('member_id').primaryKey(),
  at: int8('at').notNull(),
})
