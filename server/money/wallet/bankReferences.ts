import { and, asc, eq, ne, type SQL } from 'drizzle-orm'
import { withoutInvisible } from '../../../contract/halfWidth.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import { withdrawal } from '../schema.ts'

/** The bank's reference of a payment, and whether the same transfer paid another withdrawal too. */
export type Payment = { reference: string; sharedTransfer?: boolean }

/** The one form in which references of banks are compared: width, case and spaces make no other reference. */
export const referenceKeyOf = (reference: string): string =>
  withoutInvisible(reference.normalize('NFKC')).replaceAll(/\s/gu, '').toUpperCase()

/** Withdrawals that were paid with a reference. */
export const hasReference = (reference: string): SQL => eq(withdrawal.referenceKey, referenceKeyOf(reference))

/** Throws `REFERENCE_USED` if another withdrawal was paid with the reference, unless one transfer paid both. */
export async function assertUnusedReference(
  db: Db | DbTransaction,
  id: string,
  payment: Payment | null,
): Promise<void> {
  if (payment === null || payment.sharedTransfer === true) return
  const [other] = await db
    .select({ no: withdrawal.no })
    .from(withdrawal)
    .where(and(hasReference(payment.reference), ne(withdrawal.id, id)))
    .orderBy(asc(withdrawal.decidedAt))
    .limit(1)
  if (other) throw new ApiError('REFERENCE_USED', { params: { no: other.no } })
}

/** The answer if the database rejected a payment because another one with its reference was committed meanwhile. */
export const refusedReference =
  (db: Db, id: string, payment: Payment) =>
  async (error: unknown): Promise<never> => {
    if (isUniqueViolation(error, 'withdrawal_reference_unique')) await assertUnusedReference(db, id, payment)
    throw error
  }
