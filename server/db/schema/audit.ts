import { bigint, boolean, pgTable, text } from 'drizzle-orm/pg-core'

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

/** The hash chain of the audit, in the order of the commits; the database adds a link for each row. */
export const auditLink = pgTable('audit_link', {
  no: bigint({ mode: 'number' }).primaryKey(),
  auditId: bigint('audit_id', { mode: 'number' }).notNull().unique('audit_link_once'),
  hash: text().notNull(),
})

/** The newest link. */
export const auditHead = pgTable('audit_head', {
  one: boolean().primaryKey().default(true),
  no: bigint({ mode: 'number' }).notNull(),
  hash: text().notNull(),
})
