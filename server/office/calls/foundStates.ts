import { sql } from 'drizzle-orm'
import type { Found } from '../../../contract/office/memberRecord.ts'
import { queueNames, type QueueName } from '../../../contract/office/queues.ts'
import { decidingCalls, mayCall } from '../../../contract/office/roles.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import { isFrozen } from '../../money/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Clock } from '../../platform/ports.ts'
import { waitingIn } from './waiting.ts'

type State = Pick<Found, 'status' | 'waiting'>
type StatusRow = { id: string; status: Found['status'] }
type WaitingRow = Found['waiting'][number] & { member_id: string; created_at: number }

/** Whether each member is frozen, closed or verified, and what of the member waits in the queues of a role. */
export async function statesOf(
  { db, clock }: { db: Db; clock: Pick<Clock, 'now'> },
  memberIds: readonly string[],
  role: StaffRole | null,
): Promise<ReadonlyMap<string, State>> {
  if (memberIds.length === 0) return new Map()
  const now = clock.now()
  const members = await db.execute<StatusRow>(sql`
    SELECT m.id, CASE WHEN m.closed_at IS NOT NULL THEN 'closed' WHEN ${isFrozen(sql`m.id`, now)} THEN 'frozen'
      ELSE m.verification END AS status
    FROM member m WHERE m.id = ANY(${sql.param(memberIds)})`)
  // A proposal waits where its request does.
  const queues = queueNames.filter((queue) => queue !== 'proposals' && mayCall(role, decidingCalls[queue]))
  const waiting = await readWaitingOf({ db, now }, memberIds, queues)
  return new Map(
    members.rows.map(({ id, status }) => {
      const own = waiting.filter((row) => row.member_id === id)
      return [id, { status, waiting: own.map(({ queue, id: item, no }) => ({ queue, id: item, no })) }]
    }),
  )
}

/** What waits of members in some queues, the oldest first. */
export async function readWaitingOf(
  { db, now }: { db: Db; now: number },
  memberIds: readonly string[],
  queues: readonly QueueName[],
): Promise<WaitingRow[]> {
  if (queues.length === 0) return []
  const each = queues.map(
    (queue) => sql`SELECT ${queue}::text AS queue, w.id, w.no, w.member_id, w.created_at::float8 AS created_at
      FROM (${waitingIn(queue, now)}) w WHERE w.member_id = ANY(${sql.param(memberIds)})`,
  )
  const { rows } = await db.execute<WaitingRow>(sql`${sql.join(each, sql` UNION ALL `)} ORDER BY created_at`)
  return rows
}
