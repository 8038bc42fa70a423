import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytea } from './bytea.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** One submission for real-name verification; name and ID number are encrypted. A member's versions only increase. */
export const verification = pgTable('verification', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  status: text().$type<'under_review' | 'verified' | 'rejected'>().notNull(),
  nationality: text().notNull(),
  personSealed: bytea('person_sealed').notNull(),
  frontUploadId: text('front_upload_id').notNull(),
  backUploadId: text('back_upload_id').notNull(),
  reason: text(),
  submittedAt: int8('submitted_at').notNull(),
  decidedAt: int8('decided_at'),
  decidedBy: text('decided_by'),
  version: integer().notNull(),
})
export type VerificationRow = typeof verification.$inferSelect
