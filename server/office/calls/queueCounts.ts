import { sql } from 'drizzle-orm'
import type { FourEyesAct } from '../../../contract/office/fourEyes.ts'
import { queueNames, type QueueName, type QueueState } from '../../../contract/office/queues.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Clock } from '../../platform/ports.ts'
import { waitingIn } from './waiting.ts'

type Waiting = {
  queue: QueueName
  act: FourEyesAct | null
  proposedBy: string | null
  claimedBy: string | null
  waiting: number
  oldest: number
}
export type Counts = {
  at: number
  /** By queue, act, proposer and who has claimed it. */
  waits: readonly Waiting[]
}

/** What waits in all queues, and who has claimed how much. */
export async function readCounts({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }): Promise<Counts> {
  const at = clock.now()
  const each = queueNames.map(
    (queue) =>
      sql`SELECT ${queue}::text AS queue, w.act, w.proposed_by AS "proposedBy", c.claimed_by AS "claimedBy",
        count(*)::int AS waiting, min(w.created_at)::float8 AS oldest
        FROM (${waitingIn(queue, at)}) w
          LEFT JOIN queue_claim c ON c.queue = ${queue} AND c.item_id = w.id AND c.until_at > ${at}::bigint
        GROUP BY w.act, w.proposed_by, c.claimed_by`,
  )
  const { rows } = await db.execute<Waiting>(sql.join(each, sql` UNION ALL `))
  return { at, waits: rows }
}

/** The same for one person: what that person has proposed waits for others. */
export function queueStatesOf(
  { at, waits }: Counts,
  of: readonly QueueName[],
  { actor, acts }: { actor: string; acts: readonly FourEyesAct[] },
): { at: number; items: QueueState[] } {
  const items = of.map((queue) => {
    const own = waits.filter(
      ({ act, proposedBy, ...row }) =>
        row.queue === queue && (act === null || acts.includes(act)) && proposedBy !== actor,
    )
    const holders = holdersOf(own)
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

/** Who has claimed how many, the most first. */
function holdersOf(rows: readonly Waiting[]): QueueState['holders'] {
  const claimed = new Map<string, number>()
  for (const { claimedBy, waiting } of rows)
    if (claimedBy !== null) claimed.set(claimedBy, (claimed.get(claimedBy) ?? 0) + waiting)
  return [...claimed]
    .map(([by, number]) => ({ by, claimed: number }))
    .toSorted((a, b) => b.claimed - a.claimed || (a.by < b.by ? -1 : 1))
}
