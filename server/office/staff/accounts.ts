import { and, desc, eq, or, sql } from 'drizzle-orm'
import type { Enrolment, StaffRole, StaffView } from '../../../contract/office/staff.ts'
import { passwordDiffers } from '../../../contract/rules.ts'
import { ApiError } from '../../platform/apiError.ts'
import { type ActLog, audit as auditTable } from '../../notices/index.ts'
import type { Db, DbTransaction, WithinTransaction } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import { staff, staffSession, type StaffRow } from '../schema.ts'
import type { DeviceOwner, Passwords } from '../../members/index.ts'
import { belowCursor, toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { lookKey, looksLikeOne } from './lookAlikes.ts'
import { isActiveAdmin, keepingAnAdmin, needsTwoToDisable } from './disabling.ts'
import { lookers } from './lookers.ts'
import { forgetStaffFactors } from './factors.ts'
import { endClaimsOf } from './endClaims.ts'
import { closeProposalsOf } from './openProposals.ts'
import { assertStrong, type Begin, enrolmentOf, newEnrolment, useEnrolment } from './enrolment.ts'
import type { OfficeConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type NewPassword = { old: string; new: string }
export type StaffChange = { staff: StaffView; enrolment: Enrolment | null }

/** The accounts of the staff. Changes end the sessions of whom they concern. */
export type StaffAccounts = {
  list(page: PageRequest): Promise<PagedList<StaffView>>
  /** Throws `ACCOUNT_TAKEN` if the name is or was in use. */
  create(name: string, role: StaffRole, actor: string, within?: WithinTransaction): Promise<StaffChange>
  /** Throws `ACCOUNT_TAKEN`. */
  assertNameFree(name: string): Promise<void>
  /** Whether a name can be taken for that of a member of staff. */
  isLikeOne(name: string): Promise<boolean>
  /** By id or name. */
  find(of: string): Promise<StaffView>
  /**
   * These accept an id or a name. They throw `NOT_FOUND`, and `CONFLICT` if no active admin would be left or the account is
   * not as it was `shown` to who decided.
   */
  setRole(
    of: string,
    role: StaffRole,
    actor: string,
    within?: WithinTransaction,
    shown?: ShownStaff,
  ): Promise<StaffChange>
  /** Alone, `SECOND_PERSON` as {@link needsTwoToDisable} says. */
  disable(of: string, actor: string, within?: WithinTransaction): Promise<StaffChange>
  /** Whether a person disabled another one in the last day, while two admins are active or were before. */
  needsTwoToDisable(actor: string): Promise<boolean>
  enrol(of: string, actor: string, within?: WithinTransaction, shown?: ShownStaff): Promise<StaffChange>
  /** Deletes the second factors. */
  resetFactors(of: string, actor: string): Promise<StaffChange>
  checkEnrolment(code: string): Promise<{ name: string; role: StaffRole; expiresAt: number }>
  /** Uses the code up; `begin` runs in its transaction. Throws `NOT_FOUND`, and `VALIDATION` for a weak password. */
  useEnrolment<T>(code: string, password: string, begin: Begin<T>): Promise<{ row: StaffRow; begun: T }>
  /**
   * Ends every device's being known; `within` runs in its transaction. Returns the row after it. Throws `OLD_PASSWORD_WRONG`, and
   * `VALIDATION` for the new one.
   */
  changePassword(id: string, passwords: NewPassword, within: WithinTransaction): Promise<StaffRow>
  byName(name: string): Promise<StaffRow | null>
  /** How many can log in, and how many of them are admins. */
  countActive(): Promise<{ all: number; admins: number }>
}

/** What a proposal says of the account that it changes. */
export type ShownStaff = Partial<Pick<StaffView, 'role' | 'status'>>

export type StaffAccountsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  passwords: Passwords
  actLog: Pick<ActLog, 'write'>
  settings: OperatorSettings<OfficeConfig, 'name'>
}

/** Two spellings of one name; one of them is logged in with. */
export const staffNameKey = (name: string): string => name.normalize('NFKC').toLowerCase()

/** The names under which the venue itself acts. The database checks their form. */
export const namesOfVenue = ['venue', 'member', 'desk', 'expired'] as const
/** Whether a name can be taken for one of the venue's own names. */
export const isNameOfVenue = (name: string): Promise<boolean> => looksLikeOne(name, namesOfVenue)
/** The account whose devices are known. The name may belong to no account. */
export const staffDeviceOwner = (name: string, row: StaffRow | null): DeviceOwner => ({
  account: staffNameKey(name),
  epoch: row?.deviceEpoch ?? 0,
})

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
    create: (name, role, actor, within) => create(parts, { name, role, actor, within }),
    assertNameFree: (name) => assertNameFree(db, name),
    isLikeOne: async (name) => looksLikeOne(name, await namesOfStaff(db)),
    find: async (of) => toStaffView(await rowOf(db, of)),
    setRole: (of, role, actor, within, shown) =>
      change(parts, { of, actor, act: 'role', within, shown }, () => ({ set: { role } })),
    needsTwoToDisable: (actor) => needsTwoToDisable(db, actor, clock.now()),
    disable: (of, actor, within) =>
      change(parts, { of, actor, act: 'disable', within }, () => ({
        set: { status: 'disabled', passwordHash: null, enrolmentHash: null, enrolmentExpiresAt: null },
      })),
    enrol: (of, actor, within, shown) =>
      change(parts, { of, actor, act: 'enrol', within, shown }, () => {
        const { columns, enrolment } = newEnrolment(random, clock)
        return { set: { ...columns, status: 'invited', passwordHash: null }, enrolment }
      }),
    resetFactors: (of, actor) => change(parts, { of, actor, act: 'reset-factors' }, () => ({ set: {} })),
    checkEnrolment: async (code) => {
      const { name, role, enrolmentExpiresAt } = await enrolmentOf(db, code, clock.now())
      return { name, role, expiresAt: enrolmentExpiresAt }
    },
    useEnrolment: (code, password, begin) => useEnrolment(parts, code, password, begin),
    changePassword: (id, changed, within) => changePassword(parts, id, changed, within),
    byName,
    countActive: async () => {
      const [row] = await db
        .select({
          all: sql<number>`count(*)::int`,
          admins: sql<number>`(count(*) FILTER (WHERE ${isActiveAdmin}))::int`,
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
  { db, clock, random, actLog }: StaffAccountsParts,
  {
    name,
    role,
    actor,
    within,
  }: { name: string; role: StaffRole; actor: string; within?: WithinTransaction | undefined },
): Promise<StaffChange> {
  const { columns, enrolment } = newEnrolment(random, clock)
  const keys = { nameKey: staffNameKey(name), lookKey: await lookKey(name) }
  const own = { id: random.uuid(), name, ...keys, role, status: 'invited', createdBy: actor } as const
  try {
    const row = await db.transaction(async (tx) => {
      await within?.(tx)
      await assertNameFree(tx, name)
      const [row] = await tx
        .insert(staff)
        .values({ ...own, ...columns, createdAt: clock.now() })
        .returning()
      if (!row) throw new Error('The insert of a staff account returned no row.')
      const subject = { kind: 'staff', id: row.id }
      await actLog.write(tx, { actor, act: 'create', subject, details: { name, role } })
      return row
    })
    return { staff: toStaffView(row), enrolment }
  } catch (error) {
    const isTaken =
      isUniqueViolation(error, 'staff_name_unique') || isUniqueViolation(error, 'staff_look_unique')
    throw isTaken ? new ApiError('ACCOUNT_TAKEN') : error
  }
}

type Patch = Partial<
  Pick<StaffRow, 'role' | 'status' | 'passwordHash' | 'enrolmentHash' | 'enrolmentExpiresAt'>
>

type Change = {
  of: string
  actor: string
  act: string
  within?: WithinTransaction | undefined
  shown?: ShownStaff | undefined
}

/** Changes an account and ends its sessions, in one transaction. */
async function change(
  { db, actLog, clock }: StaffAccountsParts,
  { of, actor, act, within, shown = {} }: Change,
  make: () => { set: Patch; enrolment?: Enrolment },
): Promise<StaffChange> {
  const { set, enrolment = null } = make()
  return db.transaction(async (tx) => {
    await within?.(tx)
    const before = await lockedRow(tx, of)
    const { role = before.role, status = before.status } = shown
    if (role !== before.role || status !== before.status) throw new ApiError('CONFLICT')
    // Again, now that the admins are locked: of two at once, the second one waited.
    const isAlone = act === 'disable' && within === undefined && (await lookers.isOfStaff(tx, actor))
    if (isAlone && (await needsTwoToDisable(tx, actor, clock.now()))) throw new ApiError('SECOND_PERSON')
    const update = () =>
      tx
        .update(staff)
        .set({
          ...set,
          version: before.version + 1,
          ...(act === 'enrol' && { deviceEpoch: before.deviceEpoch + 1 }),
        })
        .where(eq(staff.id, before.id))
        .returning()
    // With a new code the last admin can log in again.
    const [row] = act === 'enrol' ? await update() : await keepingAnAdmin(tx, update)
    if (!row) throw new ApiError('NOT_FOUND')
    await tx.delete(staffSession).where(eq(staffSession.staffId, row.id))
    await closeProposalsOf(tx, row, clock)
    await endClaimsOf(tx, row.name, clock.now())
    // Without a password the person sets up everything again, or nothing any more.
    if (act === 'reset-factors' || row.passwordHash === null) await forgetStaffFactors(tx, row.id)
    const details = { name: row.name, ...(act === 'role' && { from: before.role, to: row.role }) }
    await actLog.write(tx, { actor, act, subject: { kind: 'staff', id: row.id }, details })
    return { staff: toStaffView(row), enrolment }
  })
}

/** Locks all admins first, so that two who remove each other at once do not both succeed. */
async function lockedRow(tx: DbTransaction, of: string): Promise<StaffRow> {
  await tx.select({ id: staff.id }).from(staff).where(eq(staff.role, 'admin')).orderBy(staff.id).for('update')
  const { id } = await rowOf(tx, of)
  const [row] = await tx.select().from(staff).where(eq(staff.id, id)).for('update')
  return row ?? throwNotFound()
}

/** By id, or else by name. */
async function rowOf(on: Db | DbTransaction, of: string): Promise<StaffRow> {
  const rows = await on
    .select()
    .from(staff)
    .where(or(eq(staff.id, of), eq(staff.nameKey, staffNameKey(of))))
  return rows.find(({ id }) => id === of) ?? rows[0] ?? throwNotFound()
}

/** A name signs rows of the act log: none of them may look as if it were another person's. */
async function assertNameFree(on: Db | DbTransaction, name: string): Promise<void> {
  const signed = await on.selectDistinct({ actor: auditTable.actor }).from(auditTable)
  const others = [...namesOfVenue, ...(await namesOfStaff(on)), ...signed.map(({ actor }) => actor)]
  if (await looksLikeOne(name, others)) throw new ApiError('ACCOUNT_TAKEN')
}

const namesOfStaff = async (on: Db | DbTransaction): Promise<string[]> =>
  (await on.select({ name: staff.name }).from(staff)).map(({ name }) => name)

function throwNotFound(): never {
  throw new ApiError('NOT_FOUND')
}

async function changePassword(
  parts: StaffAccountsParts,
  id: string,
  { old: oldPassword, new: newPassword }: NewPassword,
  within: WithinTransaction,
): Promise<StaffRow> {
  const { db, passwords, actLog } = parts
  const [row] = await db.select().from(staff).where(eq(staff.id, id))
  if (!row) throw new ApiError('NOT_FOUND')
  assertStrong(parts, row.name, newPassword, 'newPassword')
  const same = passwordDiffers(oldPassword, newPassword)
  if (same) throw new ApiError('VALIDATION', { fields: { newPassword: same } })
  if (!(await passwords.matches(row.passwordHash, oldPassword, 'known')))
    throw new ApiError('OLD_PASSWORD_WRONG')
  const passwordHash = await passwords.hash(newPassword, 'known')
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(staff)
      .set({
        passwordHash,
        version: sql`${staff.version} + 1`,
        deviceEpoch: sql`${staff.deviceEpoch} + 1`,
      })
      .where(and(eq(staff.id, id), eq(staff.version, row.version)))
      .returning()
    if (!changed) throw new ApiError('CONFLICT')
    await within(tx)
    await actLog.write(tx, { actor: row.name, act: 'set-password', subject: { kind: 'staff', id } })
    return changed
  })
}
