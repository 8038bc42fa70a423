import { and, desc, eq, sql } from 'drizzle-orm'
import type { Enrolment, StaffRole, StaffView } from '../../contract/backOffice/staff.ts'
import { passwordDiffers } from '../../contract/rules.ts'
import { ApiError } from '../apiError.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { isUniqueViolation } from '../db/errors.ts'
import { audit as auditTable } from '../db/schema/audit.ts'
import { staff, staffSession } from '../db/schema/staff.ts'
import type { StaffRow } from '../db/schema/staff.ts'
import type { Passwords } from '../members/passwords.ts'
import { belowCursor, toPagedList } from '../paging.ts'
import type { PagedList, PageRequest } from '../paging.ts'
import type { Clock, Random } from '../ports.ts'
import { assertStrong, enrolmentOf, newEnrolment, useEnrolment } from './enrolment.ts'

export type StaffChange = { staff: StaffView; enrolment: Enrolment | null }

/** The accounts of the staff. Changes end the sessions of whom they concern. */
export type StaffAccounts = {
  list(page: PageRequest): Promise<PagedList<StaffView>>
  /** Throws `ACCOUNT_TAKEN` if somebody has, or signed with, this name. */
  create(name: string, role: StaffRole, actor: string): Promise<StaffChange>
  /** These accept an id or a name. They throw `NOT_FOUND`, and `CONFLICT` if no active admin would be left. */
  setRole(of: string, role: StaffRole, actor: string): Promise<StaffChange>
  disable(of: string, actor: string): Promise<StaffChange>
  enrol(of: string, actor: string): Promise<StaffChange>
  checkEnrolment(code: string): Promise<{ name: string; role: StaffRole; expiresAt: number }>
  /** Uses the code up. Throws `NOT_FOUND`, and `VALIDATION` for a weak password. */
  useEnrolment(code: string, password: string): Promise<StaffRow>
  /** Throws `OLD_PASSWORD_WRONG`, and `VALIDATION` for the new one. */
  changePassword(id: string, oldPassword: string, newPassword: string): Promise<void>
  byName(name: string): Promise<StaffRow | null>
  /** How many can log in, and how many of them are admins. */
  countActive(): Promise<{ all: number; admins: number }>
}

export type StaffAccountsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  passwords: Passwords
  audit: Pick<Audit, 'write'>
}

/** Two spellings that look alike are one name. */
export const staffNameKey = (name: string): string => name.normalize('NFKC').toLowerCase()

export function createStaffAccounts(parts: StaffAccountsParts): StaffAccounts {
  const { db, clock, random } = parts
  const byName: StaffAccounts['byName'] = async (name) => {
    const [row] = await db
      .select()
      .from(staff)
      .where(eq(staff.nameKey, staffNameKey(name)))
    return row ?? null
  }
  return {
    list: async (page) => {
      const rows = await db
        .select()
        .from(staff)
        .where(belowCursor(staff.createdAt, staff.id, page))
        .orderBy(desc(staff.createdAt), desc(staff.id))
        .limit(page.limit + 1)
      return toPagedList(rows, page.limit, toStaffView, (row) => [row.createdAt, row.id])
    },
    create: (name, role, actor) => create(parts, name, role, actor),
    setRole: (of, role, actor) => change(parts, of, actor, 'role', () => ({ set: { role } })),
    disable: (of, actor) =>
      change(parts, of, actor, 'disable', () => ({
        set: { status: 'disabled', passwordHash: null, enrolmentHash: null, enrolmentExpiresAt: null },
      })),
    enrol: (of, actor) =>
      change(parts, of, actor, 'enrol', () => {
        const { columns, enrolment } = newEnrolment(random, clock)
        return { set: { ...columns, status: 'invited', passwordHash: null }, enrolment }
      }),
    checkEnrolment: async (code) => {
      const { name, role, enrolmentExpiresAt } = await enrolmentOf(db, code, clock.now())
      return { name, role, expiresAt: enrolmentExpiresAt }
    },
    useEnrolment: (code, password) => useEnrolment(parts, code, password),
    changePassword: (id, oldPassword, newPassword) => changePassword(parts, id, oldPassword, newPassword),
    byName,
    countActive: async () => {
      const [row] = await db
        .select({
          all: sql<number>`count(*)::int`,
          admins: sql<number>`(count(*) FILTER (WHERE ${staff.role} = 'admin'))::int`,
        })
        .from(staff)
        .where(eq(staff.status, 'active'))
      return row ?? { all: 0, admins: 0 }
    },
  }
}

export function toStaffView(row: StaffRow): StaffView {
  const { id, name, role, status, createdAt, lastSeenAt, version } = row
  return { id, name, role, status, createdAt, lastSeenAt, version }
}

async function create(
  { db, clock, random, audit }: StaffAccountsParts,
  name: string,
  role: StaffRole,
  actor: string,
): Promise<StaffChange> {
  const { columns, enrolment } = newEnrolment(random, clock)
  const nameKey = staffNameKey(name)
  const own = { id: random.uuid(), name, nameKey, role, status: 'invited', createdBy: actor } as const
  try {
    const row = await db.transaction(async (tx) => {
      // A row of the audit must not look as if it were this person's.
      const [signed] = await tx
        .select({ id: auditTable.id })
        .from(auditTable)
        .where(eq(auditTable.actor, name))
        .limit(1)
      if (signed) throw new ApiError('ACCOUNT_TAKEN')
      const [row] = await tx
        .insert(staff)
        .values({ ...own, ...columns, createdAt: clock.now() })
        .returning()
      if (!row) throw new Error('The insert of a staff account returned no row.')
      const subject = { kind: 'staff', id: row.id }
      await audit.write(tx, { actor, act: 'create', subject, details: { name, role } })
      return row
    })
    return { staff: toStaffView(row), enrolment }
  } catch (error) {
    if (isUniqueViolation(error, 'staff_name_unique')) throw new ApiError('ACCOUNT_TAKEN')
    throw error
  }
}

type Patch = Partial<
  Pick<StaffRow, 'role' | 'status' | 'passwordHash' | 'enrolmentHash' | 'enrolmentExpiresAt'>
>

/** Changes an account and ends its sessions, in one transaction. */
async function change(
  { db, audit }: StaffAccountsParts,
  of: string,
  actor: string,
  act: string,
  make: () => { set: Patch; enrolment?: Enrolment },
): Promise<StaffChange> {
  const { set, enrolment = null } = make()
  return db.transaction(async (tx) => {
    const before = await lockedRow(tx, of)
    const [row] = await tx
      .update(staff)
      .set({ ...set, version: before.version + 1 })
      .where(eq(staff.id, before.id))
      .returning()
    if (!row) throw new ApiError('NOT_FOUND')
    // With a new code the last admin comes back, so only these two must leave one.
    if (act !== 'enrol' && isActiveAdmin(before) && !isActiveAdmin(row)) await assertAdminLeft(tx)
    await tx.delete(staffSession).where(eq(staffSession.staffId, row.id))
    const details = { name: row.name, ...(act === 'role' && { from: before.role, to: row.role }) }
    await audit.write(tx, { actor, act, subject: { kind: 'staff', id: row.id }, details })
    return { staff: toStaffView(row), enrolment }
  })
}

const isActiveAdmin = ({ role, status }: StaffRow): boolean => role === 'admin' && status === 'active'

/** Locks all admins first, so that two who remove each other at once do not both succeed. */
async function lockedRow(tx: DbTransaction, of: string): Promise<StaffRow> {
  await tx.select({ id: staff.id }).from(staff).where(eq(staff.role, 'admin')).orderBy(staff.id).for('update')
  const [byId] = await tx.select().from(staff).where(eq(staff.id, of)).for('update')
  if (byId) return byId
  const [named] = await tx
    .select()
    .from(staff)
    .where(eq(staff.nameKey, staffNameKey(of)))
    .for('update')
  if (!named) throw new ApiError('NOT_FOUND')
  return named
}

async function assertAdminLeft(tx: DbTransaction): Promise<void> {
  const [admin] = await tx
    .select({ id: staff.id })
    .from(staff)
    .where(and(eq(staff.role, 'admin'), eq(staff.status, 'active')))
    .limit(1)
  if (!admin) throw new ApiError('CONFLICT')
}

async function changePassword(
  { db, passwords, audit }: StaffAccountsParts,
  id: string,
  oldPassword: string,
  newPassword: string,
): Promise<void> {
  const [row] = await db.select().from(staff).where(eq(staff.id, id))
  if (!row) throw new ApiError('NOT_FOUND')
  assertStrong(row.name, newPassword, 'newPassword')
  const same = passwordDiffers(oldPassword, newPassword)
  if (same) throw new ApiError('VALIDATION', { fields: { newPassword: same } })
  if (!(await passwords.matches(row.passwordHash, oldPassword, 'known')))
    throw new ApiError('OLD_PASSWORD_WRONG')
  const passwordHash = await passwords.hash(newPassword, 'known')
  await db.transaction(async (tx) => {
    const [changed] = await tx
      .update(staff)
      .set({ passwordHash, version: sql`${staff.version} + 1` })
      .where(and(eq(staff.id, id), eq(staff.version, row.version)))
      .returning({ id: staff.id })
    if (!changed) throw new ApiError('CONFLICT')
    await audit.write(tx, { actor: row.name, act: 'set-password', subject: { kind: 'staff', id } })
  })
}
