import { and, eq, gt, inArray, or } from 'drizzle-orm'
import { dayMs } from '../../../contract/time.ts'
import { audit } from '../../notices/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { staff } from '../schema.ts'

export const isActiveAdmin = and(eq(staff.role, 'admin'), eq(staff.status, 'active'))

/** Runs a change of the staff that may not take away the last active admin. @throws ApiError `CONFLICT` */
export async function keepingAnAdmin<T>(tx: DbTransaction, change: () => Promise<T>): Promise<T> {
  const before = await tx.$count(staff, isActiveAdmin)
  const changed = await change()
  if (before > 0 && (await tx.$count(staff, isActiveAdmin)) === 0) throw new ApiError('CONFLICT')
  return changed
}

/** Whether a person disabled another one in the last day, while two admins are active or were before. */
export async function needsTwoToDisable(
  on: Db | DbTransaction,
  actor: string,
  now: number,
): Promise<boolean> {
  const own = and(
    eq(audit.actor, actor),
    eq(audit.act, 'disable'),
    eq(audit.subjectKind, 'staff'),
    gt(audit.at, now - dayMs),
  )
  const ids = on.select({ id: audit.subjectId }).from(audit).where(own)
  // Otherwise who begins with the other admin disables everybody.
  const admins = or(isActiveAdmin, and(eq(staff.role, 'admin'), inArray(staff.id, ids)))
  return (await on.$count(audit, own)) > 0 && (await on.$count(staff, admins)) >= 2
}
