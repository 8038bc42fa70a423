import { and, asc, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import { dayMs } from '../../contract/time.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { erasedMember } from '../db/schema/closed.ts'
import { member } from '../db/schema/member.ts'
import { sealedIndex } from '../db/schema/queue.ts'
import { upload } from '../db/schema/upload.ts'
import type { OperatorSettings } from '../operatorConfig.ts'
import type { Clock } from '../ports.ts'
import type { Uploads } from '../uploads/uploads.ts'

export type ErasureParts = {
  db: Db
  fence: Fence
  clock: Pick<Clock, 'now'>
  uploads: Pick<Uploads, 'remove'>
  audit: Pick<Audit, 'write'>
  /** Replace what they have sealed of a member with nothing. */
  verifications: { erase(tx: DbTransaction, memberId: string): Promise<void> }
  wallet: { erase(tx: DbTransaction, memberId: string): Promise<void> }
  settings: OperatorSettings<'closedDataKeptYears'>
}

const batchSize = 20
const yearMs = 365.25 * dayMs

/** Erases what law made the venue keep of accounts that closed long enough ago, and returns of how many. */
export async function eraseClosed(parts: ErasureParts): Promise<number> {
  const { db, fence, clock, uploads, audit } = parts
  const closedBefore = clock.now() - parts.settings.operatorConfig.closedDataKeptYears * yearMs
  const due = await db
    .select({ id: member.id })
    .from(member)
    .leftJoin(erasedMember, eq(erasedMember.memberId, member.id))
    .where(and(isNotNull(member.closedAt), lte(member.closedAt, closedBefore), isNull(erasedMember.memberId)))
    .orderBy(asc(member.closedAt))
    .limit(batchSize)
  for (const { id } of due) {
    // The files first: they do not go with a transaction, and a stop in between repeats the rest.
    const kinds = inArray(upload.usedByKind, ['verification', 'deposit'])
    const pictures = await db
      .select({ id: upload.id })
      .from(upload)
      .where(and(eq(upload.memberId, id), kinds, isNull(upload.removedAt)))
    for (const picture of pictures) await uploads.remove(picture.id, fence)
    await fence.transaction(db, async (tx) => {
      await parts.verifications.erase(tx, id)
      await parts.wallet.erase(tx, id)
      await tx.delete(sealedIndex).where(eq(sealedIndex.memberId, id))
      await tx.insert(erasedMember).values({ memberId: id, at: clock.now() })
      const subject = { kind: 'member', id }
      await audit.write(tx, { actor: 'venue', act: 'erase', subject, memberId: id })
    })
  }
  return due.length
}
