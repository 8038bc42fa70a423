import { bigint, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Language } from '../../../contract/constants.ts'
import type { MessageCategory, MutableCategory } from '../../../contract/content.ts'
import { bytea } from './bytea.ts'

const instant = (name: string) => bigint(name, { mode: 'number' })

/** A message to a member: a key with parameters, or a text written by the back office. */
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

/** A category whose messages arrive as read. */
export const messageMute = pgTable(
  'message_mute',
  {
    memberId: text('member_id').notNull(),
    category: text().$type<MutableCategory>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.category] })],
)

/** A message in a member's one thread with customer service, encrypted; `readAt` is when the other side read it. */
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
