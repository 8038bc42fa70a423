import { and, eq, gt, lte, or, sql } from 'drizzle-orm'
import { queueNames, type Claim, type QueueName } from '../../../contract/office/queues.ts'
import { minuteMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { lockUntilCommit } from '../../platform/db/advisoryLock.ts'
import { queueClaim } from '../schema.ts'
import type { Clock } from '../../platform/ports.ts'
import { waitingIn } from './waiting.ts'

type Parts = { db: Db; clock: Pick<Clock, 'now'> }

/** Long enough to decide an item, short enough that an abandoned claim does not block it. */
const claimMs = 10 * minuteMs
/** More at once would block colleagues from items that are not being worked on. */
export const claimsMax = 10

/**
 * Null if another one holds the item.
 * @param prolongs whether one's own claim is renewed; otherwise it counts like that of another one
 * @throws ApiError `CLAIMS_LIMIT` if one holds too many items that wait
 */
export async function tryClaim(
  { db, clock }: Parts,
  queue: QueueName,
  itemId: string,
  actor: string,
  prolongs = true,
): Promise<Claim | null> {
  const now = clock.now()
  const untilAt = now + claimMs
  const isOver = lte(queueClaim.untilAt, now)
  const isMineOrOver = prolongs ? or(eq(queueClaim.claimedBy, actor), isOver) : isOver
  const claimed = await db.transaction(async (tx) => {
    // One claim of a person at a time, so that the count is right.
    await lockUntilCommit(tx, `claims of ${actor}`)
    if ((await countHeld(tx, { queue, itemId, actor, now })) >= claimsMax)
      throw new ApiError('CLAIMS_LIMIT', { params: { max: claimsMax } })
    return tx
      .insert(queueClaim)
      .values({ queue, itemId, claimedBy: actor, untilAt })
      .onConflictDoUpdate({
        target: [queueClaim.queue, queueClaim.itemId],
        set: { claimedBy: actor, untilAt },
        ...(isMineOrOver && { setWhere: isMineOrOver }),
      })
      .returning({ id: queueClaim.itemId })
  })
  return claimed.length > 0 ? { by: actor, until: untilAt } : null
}

/** The waiting items that the caller has claimed, except this one. */
async function countHeld(
  tx: DbTransaction,
  { queue, itemId, actor, now }: { queue: QueueName; itemId: string; actor: string; now: number },
): Promise<number> {
  const waits = queueNames.map(
    (name) =>
      sql`(c.queue = ${name} AND EXISTS (SELECT FROM (${waitingIn(name, now)}) w WHERE w.id = c.item_id))`,
  )
  const { rows } = await tx.execute<{ held: number }>(sql`
    SELECT count(*)::int AS held FROM queue_claim c
    WHERE c.claimed_by = ${actor} AND c.until_at > ${now}::bigint AND (c.queue, c.item_id) <> (${queue}, ${itemId})
      AND (${sql.join(waits, sql` OR `)})`)
  return rows[0]?.held ?? 0
}

export async function heldBy({ db, clock }: Parts, queue: string, itemId: string): Promise<Claim | null> {
  const [row] = await db
    .select()
    .from(queueClaim)
    .where(
      and(eq(queueClaim.queue, queue), eq(queueClaim.itemId, itemId), gt(queueClaim.untilAt, clock.now())),
    )
  return row ? { by: row.claimedBy, until: row.untilAt } : null
}

export async function throwClaimed(parts: Parts, queue: string, item: string): Promise<never> {
  throw new ApiError('CLAIMED', { params: (await heldBy(parts, queue, item)) ?? {} })
}
