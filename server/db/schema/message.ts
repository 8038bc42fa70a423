import { bigint, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Language } from '../../../contract/constants.ts'
import type { MessageCategory } from '../../../contract/content.ts'
import { bytea } from './bytea.ts'

const instant = (name: string) => bigint(name, { mode: 'number' })

/** What the venue tells a member: a key and its figures, or the desk's own words. */
export const message = pgTable('message', {
  id: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  memberId: text('member_id').notNull(),
  category: text().$type<MessageCategory>().notNull(),
  key: text().notNull(),
  params: jsonb().$type<Record<string, unknown>>().notNull(),
  title: text(),
  body: text(),
  lang: text().$type<Language>(),
  link: text(),
  at: instant('at').notNull(),
  readAt: instant('read_at'),
})
export type MessageRow = typeof message.$inferSelect

/** One thread a member with customer service, its words sealed; `readAt` is when the other side has seen it. */
export const serviceMessage = pgTable('service_message', {
  id: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  memberId: text('member_id').notNull(),
  sender: text().$type<'member' | 'desk'>().notNull(),
  bodySealed: bytea('body_sealed').notNull(),
  uploadId: text('upload_id'),
  at: instant('at').notNull(),
  readAt: instant('read_at'),
})
export type ServiceMessageRow = typeof serviceMessage.$inferSelect
