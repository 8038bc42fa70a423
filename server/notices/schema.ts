import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Language } from '../../contract/constants.ts'
import type { MessageCategory, MutableCategory } from '../../contract/content.ts'
import { bytea } from '../platform/db/bytea.ts'
import type { PushPayload } from '../../contract/push.ts'
import type { UploadPurpose } from '../../contract/uploads.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** One action of the office. `details` is a flat JSON object about the action, without personal data. */
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

/** The hash chain of the act log, in the order of the commits; the database adds a link for each row. */
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

/** A message to a member: a key with parameters, or a text written by the office. */
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
  at: int8('at').notNull(),
  readAt: int8('read_at'),
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

/** Where notifications of a device that is logged in are sent to, encrypted. */
export const pushSubscription = pgTable('push_subscription', {
  sessionId: text('session_id').primaryKey(),
  memberId: text('member_id').notNull(),
  endpointHash: text('endpoint_hash').notNull(),
  subscriptionSealed: bytea('subscription_sealed').notNull(),
  createdAt: bigint('created_at', { mode: 'number' }).notNull(),
})

/** A notification that waits to be sent to one device. */
export const pushDelivery = pgTable('push_delivery', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  sessionId: text('session_id').notNull(),
  payload: jsonb().$type<PushPayload>().notNull(),
  tries: integer().notNull().default(0),
  nextAt: bigint('next_at', { mode: 'number' }).notNull(),
  expiresAt: bigint('expires_at', { mode: 'number' }).notNull(),
})

/** A photo that a member uploaded; its bytes are stored encrypted in the data folder under the same id. */
export const upload = pgTable('upload', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  /** The member of staff who sent it to the member; null if the member did. */
  sentBy: text('sent_by'),
  purpose: text().$type<UploadPurpose>().notNull(),
  type: text().$type<'image/jpeg' | 'image/png' | 'image/webp'>().notNull(),
  bytes: integer().notNull(),
  /** A keyed hash of the data of a proof of payment; null for other pictures. */
  contentHash: text('content_hash'),
  createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  usedAt: bigint('used_at', { mode: 'number' }),
  usedByKind: text('used_by_kind'),
  usedById: text('used_by_id'),
  /** When the photo itself was deleted. */
  removedAt: bigint('removed_at', { mode: 'number' }),
})
export type UploadRow = typeof upload.$inferSelect
