import { bigint, pgTable, text } from 'drizzle-orm/pg-core'

/** One action of the back office. `details` is a flat JSON object about the action, without personal data. */
export const audit = pgTable('audit', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: bigint({ mode: 'number' }).notNull(),
  actor: text().notNull(),
  act: text().notNull(),
  subjectKind: text('subject_kind').notNull(),
  subjectId: text('subject_id').notNull(),
  memberId: text('member_id'),
  details: text().notNull().default('{}'),
})
export type AuditRow = typeof audit.$inferSelect
