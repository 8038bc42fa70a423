import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { StaffRole, StaffStatus } from '../../../contract/backOffice/staff.ts'
import { factorTables } from './secondFactor.ts'

const instant = (name: string) => bigint(name, { mode: 'number' })

/** A member of staff. The name signs rows of the audit: it never changes, and the row stays for good. */
export const staff = pgTable('staff', {
  id: text().primaryKey(),
  name: text().notNull(),
  nameKey: text('name_key').notNull().unique('staff_name_unique'),
  role: text().$type<StaffRole>().notNull(),
  status: text().$type<StaffStatus>().notNull(),
  passwordHash: text('password_hash'),
  enrolmentHash: text('enrolment_hash').unique('staff_enrolment_unique'),
  enrolmentExpiresAt: instant('enrolment_expires_at'),
  createdAt: instant('created_at').notNull(),
  createdBy: text('created_by').notNull(),
  lastSeenAt: instant('last_seen_at'),
  version: integer().notNull().default(1),
})
export type StaffRow = typeof staff.$inferSelect

/** A log-in of a member of staff; the cookie's id is stored as a hash only. */
export const staffSession = pgTable('staff_session', {
  id: text().primaryKey(),
  staffId: text('staff_id').notNull(),
  sidHash: text('sid_hash').notNull().unique('staff_session_sid_unique'),
  device: text().notNull(),
  ip: text().notNull(),
  createdAt: instant('created_at').notNull(),
  lastSeenAt: instant('last_seen_at').notNull(),
})

export const staffFactors = factorTables('staff')
/** Listed one by one, because the schema is a list of tables. */
export const {
  passkey: staffPasskey,
  totp: staffTotp,
  recoveryCode: staffRecoveryCode,
  codeFailure: staffCodeFailure,
} = staffFactors
