import { and, eq, gt, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { queueNames, type Claim, type QueueName } from '../../../contract/office/queues.ts'
import { minuteMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { lockUntilCommit } from '../../platform/db/advisoryLock.ts'
import { proposal, queueClaim } from '../schema.ts'
import type { Clock } from '../../platform/ports.ts'
import { queueOfAct, waitingIn } from './waiting.ts'

type Parts = { db: Db; clock: Pick<Clock, 'now'> }

/** Long enough to decide an item, short enough that an abandoned claim does not block it. */
const claimMs = 10 * minuteMs
/** So long in all one person holds what is not decided, and then not again for as long as a claim: others come first. */
const heldMaxMs = 30 * minuteMs
/** A claim that is over is kept so long. */
export const pauseMs = claimMs
/** More at once would block colleagues from items that are not being worked on. */
export const claimsMax = 10

/**
 * Null if another one holds the item, or what it is about in another queue.
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
  const isOver = lte(queueClaim.untilAt, now)
  const isMineOrOver = prolongs ? or(eq(queueClaim.claimedBy, actor), isOver) : isOver
  return db.transaction(async (tx) => {
    // One claim of a person at a time, so that the count is right.
    await lockUntilCommit(tx, `claims of ${actor}`)
    await lockUntilCommit(tx, `claims on ${await subjectOf(tx, itemId)}`)
    if (await heldIn(tx, queue, itemId, now, prolongs ? actor : undefined)) return null
    const sinceAt = await sinceOf(tx, { queue, itemId, actor, now })
    const untilAt = Math.min(now + claimMs, sinceAt + heldMaxMs)
    if (untilAt <= now) return null
    if ((await countHeld(tx, { queue, itemId, actor, now })) >= claimsMax)
      throw new ApiError('CLAIMS_LIMIT', { params: { max: claimsMax } })
    const claimed = await tx
      .insert(queueClaim)
      .values({ queue, itemId, claimedBy: actor, untilAt, sinceAt })
      .onConflictDoUpdate({
        target: [queueClaim.queue, queueClaim.itemId],
        set: { claimedBy: actor, untilAt, sinceAt },
        ...(isMineOrOver && { setWhere: isMineOrOver }),
      })
      .returning({ id: queueClaim.itemId })
    return claimed.length > 0 ? { by: actor, until: untilAt } : null
  })
}

/** Since when the caller holds the item, or the same work in another queue. */
async function sinceOf(
  tx: DbTransaction,
  { queue, itemId, actor, now }: { queue: QueueName; itemId: string; actor: string; now: number },
): Promise<number> {
  const isLast = and(eq(queueClaim.claimedBy, actor), gt(queueClaim.untilAt, now - pauseMs))
  const [row] = await tx
    .select({ since: sql<number>`min(${queueClaim.sinceAt})::float8` })
    .from(queueClaim)
    .where(and(isOfWork(queue, itemId), isLast))
  return row?.since ?? now
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

/** A request and its open proposal are one piece of work: both have the same subject. */
async function subjectOf(tx: DbTransaction, itemId: string): Promise<string> {
  const [row] = await tx
    .select({ subjectId: proposal.subjectId })
    .from(proposal)
    .where(eq(proposal.id, itemId))
  return row?.subjectId ?? itemId
}

/** The claims of an item, and those of the same work in another queue. */
const isOfWork = (queue: string, itemId: string): SQL => sql`(${queueClaim.queue}, ${queueClaim.itemId}) IN (
  SELECT ${queue}::text, ${itemId}::text
  UNION ALL SELECT 'proposals', p.id FROM proposal p
    WHERE ${queueOfAct(sql`p.act`)} = ${queue}::text AND p.subject_id = ${itemId} AND p.status = 'open'
  UNION ALL SELECT ${queueOfAct(sql`p.act`)}, p.subject_id FROM proposal p
    WHERE ${queue}::text = 'proposals' AND p.id = ${itemId} AND ${queueOfAct(sql`p.act`)} IS NOT NULL)`

async function heldIn(
  db: Db | DbTransaction,
  queue: string,
  itemId: string,
  now: number,
  exceptBy?: string,
): Promise<Claim | null> {
  const [row] = await db
    .select()
    .from(queueClaim)
    .where(
      and(
        isOfWork(queue, itemId),
        gt(queueClaim.untilAt, now),
        exceptBy === undefined ? undefined : ne(queueClaim.claimedBy, exceptBy),
      ),
    )
  return row ? { by: row.claimedBy, until: row.untilAt } : null
}

/** Who holds the item, or the same work in another queue; null if nobody else does. */
export const heldByOther = (
  { db, clock }: Parts,
  queue: string,
  itemId: string,
  actor: string,
): Promise<Claim | null> => heldIn(db, queue, itemId, clock.now(), actor)

export async function throwClaimed(parts: Parts, queue: string, item: string, actor: string): Promise<never> {
  // If nobody else does, one has held it for too long oneself.
  const ownPause = { by: actor, until: parts.clock.now() + pauseMs }
  throw new ApiError('CLAIMED', { params: (await heldByOther(parts, queue, item, actor)) ?? ownPause })
}
