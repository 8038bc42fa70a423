import { and, asc, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import { kept } from '../../../contract/retention.ts'
import { type ActLog, upload, type Uploads } from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { erasedMember, member, sealedIndex } from '../../platform/db/schema.ts'
import { memberNote } from '../schema.ts'
import type { Clock } from '../../platform/ports.ts'
import type { MembersConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type ErasureParts = {
  db: Db
  fence: Fence
  clock: Pick<Clock, 'now'>
  uploads: Pick<Uploads, 'remove'>
  actLog: Pick<ActLog, 'write'>
  /** Replace what they have sealed of a member with nothing. */
  verifications: { erase(tx: DbTransaction, memberId: string): Promise<void> }
  wallet: { erase(tx: DbTransaction, memberId: string): Promise<void> }
  settings: OperatorSettings<MembersConfig, 'closedDataKeptYears'>
}

const batchSize = 20

/** Erases what law made the venue keep of accounts that closed long enough ago, and returns of how many. */
export async function eraseClosed(parts: ErasureParts): Promise<number> {
  const { db, fence, clock, uploads, actLog } = parts
  const closedBefore = clock.now() - kept(parts.settings.operatorConfig.closedDataKeptYears, 'year').ms
  const due = await db
    .select({ id: member.id })
    .from(member)
    .leftJoin(erasedMember, eq(erasedMember.memberId, member.id))
    .where(and(isNotNull(member.closedAt), lte(member.closedAt, closedBefore), isNull(erasedMember.memberId)))
    .orderBy(asc(member.closedAt))
    .limit(batchSize)
  for (const { id } of due) {
    // The files first: deleting them is not part of the transaction, and after an interruption the rest is repeated.
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
      await tx.delete(memberNote).where(eq(memberNote.memberId, id))
      await tx.insert(erasedMember).values({ memberId: id, at: clock.now() })
      const subject = { kind: 'member', id }
      await actLog.write(tx, { actor: 'venue', act: 'erase', subject, memberId: id })
    })
  }
  return due.length
}
