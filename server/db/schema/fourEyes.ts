import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { FourEyesAct, ProposalStatus } from '../../../contract/backOffice/fourEyes.ts'
import type { FreezeReason } from '../../../contract/freeze.ts'

const instant = (name: string) => bigint(name, { mode: 'number' })

/** What one person proposed and another one decides, once. `params` is flat JSON without personal data. */
export const proposal = pgTable('proposal', {
  id: text().primaryKey(),
  act: text().$type<FourEyesAct>().notNull(),
  subjectKind: text('subject_kind').notNull(),
  subjectId: text('subject_id').notNull(),
  memberId: text('member_id'),
  params: text().notNull(),
  proposedBy: text('proposed_by').notNull(),
  proposedAt: instant('proposed_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  status: text().$type<ProposalStatus>().notNull().default('open'),
  decidedBy: text('decided_by'),
  decidedAt: instant('decided_at'),
  reason: text(),
})
export type ProposalRow = typeof proposal.$inferSelect

/** How the venue ends a proposal that nobody may decide any more: it is over, or its proposer may no longer make it. */
export const endedByVenue = (decidedAt: number) =>
  ({ status: 'cancelled', decidedBy: 'expired', decidedAt }) as const

/** A freeze of a member's account. It is renewed or ended, and its row stays. */
export const memberFreeze = pgTable('member_freeze', {
  id: text().primaryKey(),
  memberId: text('member_id').notNull(),
  reason: text().$type<FreezeReason>().notNull(),
  tellMember: boolean('tell_member').notNull(),
  fromAt: instant('from_at').notNull(),
  untilAt: instant('until_at').notNull(),
  renewals: integer().notNull().default(0),
  endedAt: instant('ended_at'),
  endedBy: text('ended_by'),
})
export type MemberFreezeRow = typeof memberFreeze.$inferSelect
