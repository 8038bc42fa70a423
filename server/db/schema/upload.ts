import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { UploadPurpose } from '../../../contract/uploads.ts'

/** A photo that a member uploaded; its bytes are stored encrypted in the data folder under the same id. */
export const upload = pgTable('upload', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  /** The member of staff who sent it to the member; null if the member did. */
  sentBy: text('sent_by'),
  purpose: text().$type<UploadPurpose>().notNull(),
  type: text().$type<'image/jpeg' | 'image/png' | 'image/webp'>().notNull(),
  bytes: integer().notNull(),
  createdAt: bigint('created_at', { mode: 'number' }).notNull(),
  usedAt: bigint('used_at', { mode: 'number' }),
  usedByKind: text('used_by_kind'),
  usedById: text('used_by_id'),
  /** When the photo itself was deleted. */
  removedAt: bigint('removed_at', { mode: 'number' }),
})
export type UploadRow = typeof upload.$inferSelect
