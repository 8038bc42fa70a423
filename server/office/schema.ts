import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { StaffRole, StaffStatus } from '../../contract/office/staff.ts'
import { bytea } from '../platform/db/bytea.ts'
import { factorTables } from '../members/index.ts'
import type { FourEyesAct, ProposalStatus } from '../../contract/office/fourEyes.ts'
import type { Language } from '../../contract/constants.ts'

const int8 = (name: string) => bigint(name, { mode: 'number' })

/** A member of staff. The name signs rows of the act log: it never changes, and the row is never deleted. */
export const staff = pgTable('staff', {
  id: text().primaryKey(),
  name: text().notNull(),
  nameKey: text('name_key').notNull().unique('staff_name_unique'),
  /** How the name looks. */
  lookKey: text('look_key').notNull().unique('staff_look_unique'),
  role: text().$type<StaffRole>().notNull(),
  status: text().$type<StaffStatus>().notNull(),
  passwordHash: text('password_hash'),
  enrolmentHash: text('enrolment_hash').unique('staff_enrolment_unique'),
  enrolmentExpiresAt: int8('enrolment_expires_at'),
  createdAt: int8('created_at').notNull(),
  createdBy: text('created_by').notNull(),
  lastSeenAt: int8('last_seen_at'),
  version: integer().notNull().default(1),
  /** How often all devices have become unknown. */
  deviceEpoch: integer('device_epoch').notNull().default(0),
})
export type StaffRow = typeof staff.$inferSelect

/** A login of a member of staff; the cookie's id is stored as a hash only. */
export const staffSession = pgTable('staff_session', {
  id: text().primaryKey(),
  staffId: text('staff_id').notNull(),
  sidHash: text('sid_hash').notNull().unique('staff_session_sid_unique'),
  device: text().notNull(),
  ip: text().notNull(),
  createdAt: int8('created_at').notNull(),
  lastSeenAt: int8('last_seen_at').notNull(),
})

export const staffFactors = factorTables('staff')
/** Listed one by one, because the schema is a list of tables. */
export const {
  passkey: staffPasskey,
  totp: staffTotp,
  recoveryCode: staffRecoveryCode,
  codeFailure: staffCodeFailure,
} = staffFactors

/** Who works on an item of a queue, and until when. */
export const queueClaim = pgTable(
  'queue_claim',
  {
    queue: text().notNull(),
    itemId: text('item_id').notNull(),
    claimedBy: text('claimed_by').notNull(),
    untilAt: bigint('until_at', { mode: 'number' }).notNull(),
    /** Since when the person holds it, with pauses shorter than that of a claim. */
    sinceAt: bigint('since_at', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.queue, table.itemId] })],
)

/** What one person proposed and another one decides, once. `params` is flat JSON without personal data. */
export const proposal = pgTable('proposal', {
  id: text().primaryKey(),
  act: text().$type<FourEyesAct>().notNull(),
  subjectKind: text('subject_kind').notNull(),
  subjectId: text('subject_id').notNull(),
  memberId: text('member_id'),
  params: text().notNull(),
  proposedBy: text('proposed_by').notNull(),
  proposedAt: int8('proposed_at').notNull(),
  expiresAt: int8('expires_at').notNull(),
  status: text().$type<ProposalStatus>().notNull().default('open'),
  decidedBy: text('decided_by'),
  decidedAt: int8('decided_at'),
  reason: text(),
  /** A keyed hash of the code that the first of two persons reads to a member who forgot a password. */
  firstCodeHash: text('first_code_hash'),
})

/** What the first person wrote for the second, sealed. */
export const proposalNote = pgTable('proposal_note', {
  proposalId: text('proposal_id').primaryKey(),
  memberId: text('member_id'),
  bodySealed: bytea('body_sealed').notNull(),
})

export type ProposalRow = typeof proposal.$inferSelect

/**
 * How the venue ends a proposal that can no longer be decided: it has expired, or its proposer may no longer make it.
 */
export const endedByVenue = (decidedAt: number) =>
  ({ status: 'cancelled', decidedBy: 'expired', decidedAt }) as const

/** What one person decided alone. The database adds the rows: they count towards the amount above which two decide. */
export const loneDecision = pgTable(
  'lone_decision',
  {
    /** A member of staff; empty for everybody else. */
    person: text().notNull(),
    no: int8('no').notNull(),
    memberId: text('member_id').notNull(),
    subjectKind: text('subject_kind').$type<'deposit' | 'withdrawal'>().notNull(),
    subjectId: text('subject_id').notNull(),
    amount: bigint({ mode: 'number' }).notNull(),
    at: int8('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.person, table.no] })],
)

export type ArticleKind = 'news' | 'highlight' | 'page'

/** A news item, a highlight, or a standing page that the office has published; without its texts. */
export const article = pgTable('article', {
  id: text().primaryKey(),
  no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  kind: text().$type<ArticleKind>().notNull(),
  seeded: boolean().notNull(),
  publishedAt: bigint('published_at', { mode: 'number' }).notNull(),
  version: integer().notNull().default(1),
})

/** An article's newest text in one language; the body is Markdown. */
export const articleText = pgTable(
  'article_text',
  {
    articleId: text('article_id').notNull(),
    lang: text().$type<Language>().notNull(),
    title: text().notNull(),
    body: text().notNull(),
    changedAt: bigint('changed_at', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.lang] })],
)

export type StoredText = { title: string; body: string; changedAt: number }
export type StoredTexts = Partial<Record<Language, StoredText>>

/** All texts of an article after one publish; rows are added and never changed. */
export const contentVersion = pgTable(
  'content_version',
  {
    articleId: text('article_id').notNull(),
    version: integer().notNull(),
    texts: jsonb().$type<StoredTexts>().notNull(),
    author: text(),
    at: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.version] })],
)
