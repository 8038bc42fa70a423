import { and, eq, gt, lt, lte, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { FourEyesAct } from '../../contract/backOffice/fourEyes.ts'
import { queueNames } from '../../contract/backOffice/queues.ts'
import type { Claim, QueueItem, QueueName, QueueState } from '../../contract/backOffice/queues.ts'
import { minor } from '../../contract/brand.ts'
import { formatMoney } from '../../contract/money.ts'
import { minuteMs, secondMs } from '../../contract/time.ts'
import { ApiError } from '../apiError.ts'
import { readCursor } from '../cursor.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { queueClaim } from '../db/schema/queue.ts'
import { createFreshValue } from '../freshValue.ts'
import { toPagedList } from '../paging.ts'
import type { PagedList, PageRequest } from '../paging.ts'
import type { Clock } from '../ports.ts'

/** Long enough to decide on an item, short enough that one who went home blocks nobody. */
const claimMs = 10 * minuteMs
/** Every open page asks every few seconds: they share one look at the tables. */
const countsFreshMs = secondMs

/** What waits in each queue: `id`, `no`, `member_id`, `amount`, `created_at`. */
const waiting: Readonly<Record<Exclude<QueueName, 'proposals'>, SQL>> = {
  deposits: sql`SELECT id, no, member_id, amount, created_at FROM deposit WHERE status = 'under_review'`,
  withdrawals: sql`SELECT id, no, member_id, amount, created_at FROM withdrawal
    WHERE status = 'under_review' AND approved_at IS NULL`,
  payments: sql`SELECT id, no, member_id, amount, approved_at AS created_at FROM withdrawal
    WHERE status = 'under_review' AND approved_at IS NOT NULL`,
  verifications: sql`SELECT id, NULL::text AS no, member_id, NULL::bigint AS amount, submitted_at AS created_at
    FROM verification WHERE status = 'under_review'`,
  'password-requests': sql`SELECT id, NULL::text AS no, member_id, NULL::bigint AS amount, created_at
    FROM password_request WHERE status = 'under_review'`,
  service: sql`SELECT member_id AS id, NULL::text AS no, member_id, NULL::bigint AS amount, min(at) AS created_at
    FROM service_message WHERE sender = 'member' AND read_at IS NULL GROUP BY member_id`,
}
/** Also `proposed_by` and `proposed_at`, and of proposals `act`. */
const waitingIn = (queue: QueueName, now: number): SQL =>
  queue === 'proposals'
    ? sql`SELECT p.id, NULL::text AS no, p.member_id, w.amount, p.proposed_at AS created_at, p.act, p.proposed_by, p.proposed_at
        FROM proposal p LEFT JOIN withdrawal w ON p.subject_kind = 'withdrawal' AND w.id = p.subject_id
        WHERE p.status = 'open' AND p.expires_at > ${now}::bigint`
    : sql`SELECT q.*, NULL::text AS act, p.proposed_by, p.proposed_at FROM (${waiting[queue]}) q
        LEFT JOIN proposal p ON p.act = ${`${queue}.approve`} AND p.subject_id = q.id
          AND p.status = 'open' AND p.expires_at > ${now}::bigint`

/** Who works on the queues: of the proposals, those of `acts` are theirs. */
export type QueueWorker = { actor: string; acts: readonly FourEyesAct[] }

/** The queues of the staff: what waits, and who works on what. A claim is advice with an end, not a lock. */
export type Queues = {
  /** What one has proposed waits for others. */
  states(of: readonly QueueName[], worker: QueueWorker): Promise<{ at: number; items: QueueState[] }>
  /** Oldest first, what one has proposed too. */
  list(queue: QueueName, page: PageRequest, worker: QueueWorker): Promise<PagedList<QueueItem>>
  /** Claims the oldest item that nobody holds and that one has not proposed; null if there is none. */
  next(queue: QueueName, worker: QueueWorker): Promise<QueueItem | null>
  /** Throws `NOT_FOUND` if it does not wait, `CLAIMED` if another one holds it. */
  claim(queue: QueueName, item: string, worker: QueueWorker): Promise<Claim>
  release(queue: QueueName, item: string, actor: string): Promise<boolean>
  /** Throws `CLAIMED` if another one holds the item. */
  assertFree(queue: QueueName, item: string, actor: string): Promise<void>
  prune(fence: Fence): Promise<number>
}

type Parts = { db: Db; clock: Pick<Clock, 'now'> }
type WaitingRow = {
  id: string
  no: string | null
  member_id: string | null
  account: string | null
  amount: number | null
  act: FourEyesAct | null
  created_at: number
  proposed_by: string | null
  proposed_at: number | null
  claimed_by: string | null
  until_at: number | null
}

export function createQueues(parts: Parts): Queues {
  const { db, clock } = parts
  const counts = createFreshValue(clock, countsFreshMs, () => readCounts(parts))
  const claim: Queues['claim'] = async (queue, item, worker) => {
    const [waits] = await readWaiting(parts, queue, worker, { limit: 1, id: item })
    if (!waits) throw new ApiError('NOT_FOUND')
    return (await tryClaim(parts, queue, item, worker.actor)) ?? throwClaimed(parts, queue, item)
  }
  return {
    states: async (of, { actor, acts }) => {
      const { at, waits, claims } = await counts()
      const items = of.map((queue) => {
        const held = claims.filter((one) => one.queue === queue)
        const mine = held.filter(({ claimedBy }) => claimedBy === actor).length
        const own = waits.filter(
          ({ act, proposedBy, ...row }) =>
            row.queue === queue && (act === null || acts.includes(act)) && proposedBy !== actor,
        )
        const oldestAt = own.length === 0 ? null : Math.min(...own.map(({ oldest }) => oldest))
        const count = own.reduce((sum, row) => sum + row.waiting, 0)
        return { queue, waiting: count, oldestAt, claimed: held.length, mine }
      })
      return { at, items }
    },
    list: async (queue, page, worker) => {
      const after = readCursor(page.cursor)
      const rows = await readWaiting(parts, queue, worker, { limit: page.limit + 1, after })
      return toPagedList(rows, page.limit, toItem, (row) => [row.created_at, row.id])
    },
    next: async (queue, worker) => {
      // Of two who ask at once, one gets the item and the other the one after it.
      for (;;) {
        const [row] = await readWaiting(parts, queue, worker, { limit: 1, isFree: true })
        if (!row) return null
        const own = await tryClaim(parts, queue, row.id, worker.actor, false)
        if (own) return { ...toItem(row), claim: own }
      }
    },
    claim,
    release: async (queue, item, actor) => {
      const own = and(
        eq(queueClaim.queue, queue),
        eq(queueClaim.itemId, item),
        eq(queueClaim.claimedBy, actor),
      )
      const released = await db.delete(queueClaim).where(own).returning({ id: queueClaim.itemId })
      return released.length > 0
    },
    assertFree: async (queue, item, actor) => {
      const held = await heldBy(parts, queue, item)
      if (held && held.by !== actor) throw new ApiError('CLAIMED', { params: held })
    },
    prune: async (fence) => {
      const deleted = await fence.transaction(db, (tx) =>
        tx.delete(queueClaim).where(lt(queueClaim.untilAt, clock.now())),
      )
      return deleted.rowCount ?? 0
    },
  }
}

type Selection = { limit: number; after?: [number, string] | null; id?: string; isFree?: boolean }

async function readWaiting(
  { db, clock }: Parts,
  queue: QueueName,
  { actor, acts }: QueueWorker,
  { limit, after = null, id, isFree = false }: Selection,
): Promise<WaitingRow[]> {
  const now = clock.now()
  const conditions = [
    sql`(w.act IS NULL OR w.act = ANY(${sql.param(acts)}))`,
    ...(after ? [sql`(w.created_at, w.id) > (${after[0]}::bigint, ${after[1]})`] : []),
    ...(id === undefined ? [] : [sql`w.id = ${id}`]),
    ...(isFree ? [sql`c.item_id IS NULL AND w.proposed_by IS DISTINCT FROM ${actor}`] : []),
  ]
  const { rows } = await db.execute<WaitingRow>(sql`
    SELECT w.id, w.no, w.member_id, m.account, w.amount::float8 AS amount, w.act, w.created_at::float8 AS created_at,
      w.proposed_by, w.proposed_at::float8 AS proposed_at,
      c.claimed_by, c.until_at::float8 AS until_at
    FROM (${waitingIn(queue, now)}) w
    LEFT JOIN member m ON m.id = w.member_id
    LEFT JOIN queue_claim c ON c.queue = ${queue} AND c.item_id = w.id AND c.until_at > ${now}::bigint
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY w.created_at, w.id LIMIT ${limit}`)
  return rows
}

function toItem(row: WaitingRow): QueueItem {
  const { id, no, amount, act, created_at: createdAt, claimed_by: by, until_at: until } = row
  return {
    id,
    no,
    memberId: row.member_id,
    account: row.account,
    amount: amount === null ? null : formatMoney(minor(amount)),
    act,
    createdAt,
    proposedBy: row.proposed_by,
    proposedAt: row.proposed_at,
    claim: by === null || until === null ? null : { by, until },
  }
}

type Waiting = {
  queue: QueueName
  act: FourEyesAct | null
  proposedBy: string | null
  waiting: number
  oldest: number
}
type Counts = {
  at: number
  /** By queue, act and proposer. */
  waits: readonly Waiting[]
  claims: { queue: string; claimedBy: string }[]
}

async function readCounts({ db, clock }: Parts): Promise<Counts> {
  const at = clock.now()
  const each = queueNames.map(
    (queue) =>
      sql`SELECT ${queue}::text AS queue, act, proposed_by AS "proposedBy", count(*)::int AS waiting,
        min(created_at)::float8 AS oldest FROM (${waitingIn(queue, at)}) w GROUP BY act, proposed_by`,
  )
  const { rows } = await db.execute<Waiting>(sql.join(each, sql` UNION ALL `))
  const claims = await db
    .select({ queue: queueClaim.queue, claimedBy: queueClaim.claimedBy })
    .from(queueClaim)
    .where(gt(queueClaim.untilAt, at))
  return { at, waits: rows, claims }
}

/**
 * Null if another one holds the item.
 * @param prolongs whether one's own claim is renewed; otherwise it counts like that of another one
 */
async function tryClaim(
  { db, clock }: Parts,
  queue: string,
  itemId: string,
  actor: string,
  prolongs = true,
): Promise<Claim | null> {
  const now = clock.now()
  const untilAt = now + claimMs
  const isOver = lte(queueClaim.untilAt, now)
  const isMineOrOver = prolongs ? or(eq(queueClaim.claimedBy, actor), isOver) : isOver
  const claimed = await db
    .insert(queueClaim)
    .values({ queue, itemId, claimedBy: actor, untilAt })
    .onConflictDoUpdate({
      target: [queueClaim.queue, queueClaim.itemId],
      set: { claimedBy: actor, untilAt },
      ...(isMineOrOver && { setWhere: isMineOrOver }),
    })
    .returning({ id: queueClaim.itemId })
  return claimed.length > 0 ? { by: actor, until: untilAt } : null
}

async function heldBy({ db, clock }: Parts, queue: string, itemId: string): Promise<Claim | null> {
  const [row] = await db
    .select()
    .from(queueClaim)
    .where(
      and(eq(queueClaim.queue, queue), eq(queueClaim.itemId, itemId), gt(queueClaim.untilAt, clock.now())),
    )
  return row ? { by: row.claimedBy, until: row.untilAt } : null
}

async function throwClaimed(parts: Parts, queue: string, item: string): Promise<never> {
  throw new ApiError('CLAIMED', { params: (await heldBy(parts, queue, item)) ?? {} })
}
