import { and, countDistinct, eq, gt, isNotNull, like, ne, notLike, sql } from 'drizzle-orm'
import { hourMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { lockUntilCommit } from '../../platform/db/advisoryLock.ts'
import { audit } from '../schema.ts'
import type { NoticesConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

/** In the details of a look's row: the person held a request of the member, so that it was work. */
const claimed = { claimed: true }
/** In the same place: it was the desk key, which names no person. */
const deskKey = { deskKey: true }
type LookDetails = typeof claimed | typeof deskKey | Record<string, never>

/** The pattern of details that contain these, none of which has a sign that patterns know. */
export const says = (details: Record<string, string | boolean>) => `%${JSON.stringify(details).slice(1, -1)}%`

/** The members whose records one of the staff opened after `since` without holding a request of theirs. */
export const looksSince = (since: number) =>
  and(
    gt(audit.at, since),
    eq(audit.act, 'view'),
    isNotNull(audit.memberId),
    notLike(audit.details, says(claimed)),
    notLike(audit.details, says(deskKey)),
  )

/** The office's data about the viewer. */
export type Lookers = {
  /** The desk key names none of the staff. */
  isOfStaff(tx: Db | DbTransaction, name: string): Promise<boolean>
  /** Whether the person has claimed a request of the member. */
  holdsRequestOf(tx: DbTransaction, look: Look): Promise<boolean>
}

export type LookLimitParts = {
  settings: OperatorSettings<NoticesConfig, 'recordsPerHour'>
  lookers: Lookers
}
/** The number of searches allowed for each record opened without a claim. More would be guessing phones and numbers. */
const searchesPerRecord = 10
/** The same of the members or requests that lists show. Queues, which are the work itself, are no such lists. */
const listedPerRecord = 10

export type Look = { actor: string; memberId: string; now: number }

/** The views of one person are counted one at a time, on all nodes together. */
export const lockLooks = (tx: DbTransaction, actor: string): Promise<void> =>
  lockUntilCommit(tx, `looks of ${actor}`)

/** @throws ApiError `RECORDS_LIMIT` */
async function assertBelow(
  tx: DbTransaction,
  actor: string,
  max: number,
  count: () => Promise<number>,
): Promise<void> {
  await lockLooks(tx, actor)
  if ((await count()) >= max) throw new ApiError('RECORDS_LIMIT', { params: { max } })
}

/**
 * How many members' records one person opens in an hour without a claim, and how often one searches. The desk key names no person: it is in practice
 * mode, or sets up the staff.
 */
export function createLookLimit({ settings, lookers }: LookLimitParts) {
  const max = settings.operatorConfig.recordsPerHour
  return {
    /**
     * In the transaction of the look's row: what the row says besides.
     * @throws ApiError `RECORDS_LIMIT`
     */
    assertMayLook: async (tx: DbTransaction, look: Look): Promise<LookDetails> => {
      const { actor, memberId, now } = look
      if (!(await lookers.isOfStaff(tx, actor))) return deskKey
      if (await lookers.holdsRequestOf(tx, look)) return claimed
      await assertBelow(tx, actor, max, async () => {
        const others = and(looksSince(now - hourMs), eq(audit.actor, actor), ne(audit.memberId, memberId))
        const [row] = await tx
          .select({ members: countDistinct(audit.memberId) })
          .from(audit)
          .where(others)
        return row?.members ?? 0
      })
      return {}
    },
    /** The same of a search. */
    assertMaySearch: async (
      tx: DbTransaction,
      { actor, now }: Omit<Look, 'memberId'>,
    ): Promise<LookDetails> => {
      if (!(await lookers.isOfStaff(tx, actor))) return {}
      await assertBelow(tx, actor, max * searchesPerRecord, () => {
        const own = and(eq(audit.actor, actor), eq(audit.act, 'search'), gt(audit.at, now - hourMs))
        return tx.$count(audit, own)
      })
      return {}
    },
    /** The same of a list, by how many it shows. */
    assertMayList: async (
      tx: DbTransaction,
      { actor, shown, now }: Omit<Look, 'memberId'> & { shown: number },
    ): Promise<LookDetails> => {
      if (!(await lookers.isOfStaff(tx, actor))) return {}
      await assertBelow(tx, actor, max * listedPerRecord, async () => {
        const own = and(eq(audit.actor, actor), eq(audit.act, 'view'), gt(audit.at, now - hourMs))
        const sum = sql<number>`coalesce(sum((${audit.details}::jsonb->>'shown')::int), 0)::int`
        const [row] = await tx
          .select({ sum })
          .from(audit)
          .where(and(own, eq(audit.subjectId, 'list'), like(audit.details, '%"shown":%')))
        // One above the limit is refused, one that reaches it is not.
        return (row?.sum ?? 0) + shown - 1
      })
      return {}
    },
    max,
  }
}
export type LookLimit = ReturnType<typeof createLookLimit>

/** How many members' records each of the staff opened in the last hour without a claim; who opened none is left out. */
export async function countLooks(db: Db, now: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ actor: audit.actor, members: countDistinct(audit.memberId) })
    .from(audit)
    .where(looksSince(now - hourMs))
    .groupBy(audit.actor)
  return new Map(rows.map(({ actor, members }) => [actor, members]))
}
