import { count, desc, gt, sql } from 'drizzle-orm'
import type { FourEyesAct } from '../../../contract/office/fourEyes.ts'
import { queueNames, type QueueName, type QueueState } from '../../../contract/office/queues.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Clock } from '../../platform/ports.ts'
import { queueClaim } from '../schema.ts'
import { waitingIn } from './waiting.ts'

type Waiting = {
  queue: QueueName
  act: FourEyesAct | null
  proposedBy: string | null
  waiting: number
  oldest: number
}
export type Counts = {
  at: number
  /** By queue, act and proposer. */
  waits: readonly Waiting[]
  /** By queue and person, who holds most first. */
  claims: readonly { queue: string; by: string; claimed: number }[]
}

/** What waits in all queues, and who has claimed how much. */
export async function readCounts({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }): Promise<Counts> {
  const at = clock.now()
  const each = queueNames.map(
    (queue) =>
      sql`SELECT ${queue}::text AS queue, act, proposed_by AS "proposedBy", count(*)::int AS waiting,
        min(created_at)::float8 AS oldest FROM (${waitingIn(queue, at)}) w GROUP BY act, proposed_by`,
  )
  const { rows } = await db.execute<Waiting>(sql.join(each, sql` UNION ALL `))
  const claims = await db
    .select({ queue: queueClaim.queue, by: queueClaim.claimedBy, claimed: count() })
    .from(queueClaim)
    .where(gt(queueClaim.untilAt, at))
    .groupBy(queueClaim.queue, queueClaim.claimedBy)
    .orderBy(desc(count()), queueClaim.claimedBy)
  return { at, waits: rows, claims }
}

/** The same for one person: what that person has proposed waits for others. */
export function statesOf(
  { at, waits, claims }: Counts,
  of: readonly QueueName[],
  { actor, acts }: { actor: string; acts: readonly FourEyesAct[] },
): { at: number; items: QueueState[] } {
  const items = of.map((queue) => {
    const own = waits.filter(
      ({ act, proposedBy, ...row }) =>
        row.queue === queue && (act === null || acts.includes(act)) && proposedBy !== actor,
    )
    const holders = claims.flatMap(({ by, claimed, ...row }) =>
      row.queue === queue ? [{ by, claimed }] : [],
    )
    return {
      queue,
      waiting: own.reduce((sum, row) => sum + row.waiting, 0),
      oldestAt: own.length === 0 ? null : Math.min(...own.map(({ oldest }) => oldest)),
      claimed: holders.reduce((sum, { claimed }) => sum + claimed, 0),
      mine: holders.find(({ by }) => by === actor)?.claimed ?? 0,
      holders,
    }
  })
  return { at, items }
}
