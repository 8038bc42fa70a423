import { and, eq, gt, lt, sql, type SQL } from 'drizzle-orm'
import type { Language } from '../../../contract/constants.ts'
import type { FourEyesAct } from '../../../contract/office/fourEyes.ts'
import {
  type Claim,
  type QueueItem,
  type QueueName,
  type QueueOrder,
  type QueueState,
} from '../../../contract/office/queues.ts'
import { minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import { secondMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { queueClaim } from '../schema.ts'
import { createFreshValue } from '../../platform/freshValue.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Service } from '../../members/index.ts'
import type { Clock } from '../../platform/ports.ts'
import { heldByOther, pauseMs, throwClaimed, tryClaim } from './queueClaims.ts'
import { queueStatesOf, readCounts } from './queueCounts.ts'
import { noMarks, readMarks } from './queueMarks.ts'
import { conditionsOf, type Wanted } from './queueConditions.ts'
import { waitingIn } from './waiting.ts'

/** Every open page asks every few seconds: they share one look at the tables. */
const countsFreshMs = secondMs

/** Who works on the queues: of the proposals, those of `acts` are theirs. */
export type QueueWorker = { actor: string; acts: readonly FourEyesAct[] }

/** The queues of the staff: what waits, and who works on what. A claim is advice with an end, not a lock. */
export type Queues = {
  /** What the caller has proposed waits for others. */
  states(of: readonly QueueName[], worker: QueueWorker): Promise<{ at: number; items: QueueState[] }>
  /**
   * First the caller's claims, then in the requested order. In turn: the oldest item of each member, then the second
   * oldest of each. Includes what the caller has proposed.
   */
  list(queue: QueueName, page: PageRequest & Wanted, worker: QueueWorker): Promise<QueuePage>
  /**
   * Claims the first unclaimed item, of those and in the order asked for, that the caller has not proposed; null if there is
   * none. Throws `CLAIMS_LIMIT`.
   */
  next(queue: QueueName, worker: QueueWorker, wanted: Wanted): Promise<QueueItem | null>
  /**
   * Throws `NOT_FOUND` if it does not wait, `SECOND_PERSON` if the caller has proposed it, `CLAIMED` if another person
   * has claimed it, `CLAIMS_LIMIT`.
   */
  claim(queue: QueueName, item: string, worker: QueueWorker): Promise<Claim>
  release(queue: QueueName, item: string, actor: string): Promise<boolean>
  /** Throws `CLAIMED` if another one holds the item. A request and its open proposal are held as one. */
  assertFree(queue: QueueName, item: string, actor: string): Promise<void>
  prune(fence: Fence): Promise<number>
}

/** The first page says how many there are in all pages. */
export type QueuePage = PagedList<QueueItem> & { total?: number }

type Parts = {
  db: Db
  clock: Pick<Clock, 'now'>
  service: { office: Pick<Service['office'], 'previews'> }
}
type WaitingRow = {
  id: string
  rank: number
  no: string | null
  member_id: string | null
  account: string | null
  language: Language | null
  amount: number | null
  method: string | null
  has_picture: boolean | null
  country: string | null
  unread: number | null
  act: FourEyesAct | null
  created_at: number
  proposed_by: string | null
  proposed_at: number | null
  claimed_by: string | null
  until_at: number | null
  total: number
}

export function createQueues(parts: Parts): Queues {
  const { db, clock } = parts
  const counts = createFreshValue(clock, countsFreshMs, () => readCounts(parts))
  const claim: Queues['claim'] = async (queue, item, worker) => {
    const [waits] = await readWaiting(parts, queue, worker, {
      limit: 1,
      wanted: { order: 'turn', item },
    })
    if (!waits) throw new ApiError('NOT_FOUND')
    // It is another one's work: a claim would keep it from him, and open the member's record as if it were one's own.
    if (waits.proposed_by === worker.actor) throw new ApiError('SECOND_PERSON')
    return (
      (await tryClaim(parts, queue, item, worker.actor)) ?? throwClaimed(parts, queue, item, worker.actor)
    )
  }
  return {
    states: async (of, worker) => queueStatesOf(await counts(), of, worker),
    list: (queue, page, worker) => readPage(parts, queue, page, worker),
    next: async (queue, worker, wanted) => {
      // Of two who ask at once, one gets the item and the other the one after it.
      for (const except = [...(wanted.except ?? [])]; ;) {
        const selection = { limit: 1, isFree: true, wanted: { ...wanted, except } }
        const [row] = await readWaiting(parts, queue, worker, selection)
        if (!row) return null
        except.push(row.id)
        const own = await tryClaim(parts, queue, row.id, worker.actor, false)
        if (!own) continue
        const marks = await readMarks(db, [toItem(row)], clock.now())
        return { ...toItem(row), ...marks.get(row.id), claim: own }
      }
    },
    claim,
    release: (queue, item, actor) => releaseClaim(parts, queue, item, actor),
    assertFree: async (queue, item, actor) => {
      const held = await heldByOther(parts, queue, item, actor)
      if (held) throw new ApiError('CLAIMED', { params: held })
    },
    prune: async (fence) => {
      const deleted = await fence.transaction(db, (tx) =>
        tx.delete(queueClaim).where(lt(queueClaim.untilAt, clock.now() - pauseMs)),
      )
      return deleted.rowCount ?? 0
    },
  }
}

/** Ends a claim; its row stays for the count of how long one held an item. */
async function releaseClaim(
  { db, clock }: Parts,
  queue: QueueName,
  item: string,
  actor: string,
): Promise<boolean> {
  const { queue: ofQueue, itemId, claimedBy, untilAt } = queueClaim
  const now = clock.now()
  const released = await db
    .update(queueClaim)
    .set({ untilAt: now })
    .where(and(eq(ofQueue, queue), eq(itemId, item), eq(claimedBy, actor), gt(untilAt, now)))
    .returning({ id: itemId })
  return released.length > 0
}

async function readPage(
  parts: Parts,
  queue: QueueName,
  page: PageRequest & Wanted,
  worker: QueueWorker,
): Promise<QueuePage> {
  const after = readCursor(page.cursor)
  const rows = await readWaiting(parts, queue, worker, {
    limit: page.limit + 1,
    after,
    wanted: page,
  })
  const previews = queue === 'service' ? await parts.service.office.previews(rows.map(({ id }) => id)) : null
  const marks = await readMarks(parts.db, rows.map(toItem), parts.clock.now())
  const item = (row: WaitingRow): QueueItem => ({
    ...toItem(row),
    ...marks.get(row.id),
    preview: previews?.get(row.id) ?? null,
  })
  const list = toPagedList(rows, page.limit, item, (row) => [row.rank, `${row.created_at}.${row.id}`])
  return { ...list, ...(after === null && { total: rows[0]?.total ?? 0 }) }
}

/** `after` is the rank, and the instant and id, of the last item that was listed. */
type Selection = {
  limit: number
  after?: [number, string] | null
  isFree?: boolean
  wanted?: Wanted
}

/** Before all others: no rank of an order is lower. */
const ownRank = Number.MIN_SAFE_INTEGER
/** What each order sorts by, the lowest first; among equals the oldest. */
const ranks: Readonly<Record<QueueOrder, SQL>> = {
  turn: sql`w.turn`,
  oldest: sql`0`,
  newest: sql`-w.created_at`,
  largest: sql`-coalesce(w.amount, 0)`,
  smallest: sql`coalesce(w.amount, 0)`,
}

async function readWaiting(
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  queue: QueueName,
  { actor, acts }: QueueWorker,
  { limit, after = null, isFree = false, wanted = { order: 'turn' } }: Selection,
): Promise<WaitingRow[]> {
  const now = clock.now()
  const rank = sql`(CASE WHEN c.claimed_by = ${actor} THEN ${ownRank}::bigint ELSE ${ranks[wanted.order]} END)`
  const conditions = [
    sql`(w.act IS NULL OR w.act = ANY(${sql.param(acts)}))`,
    ...conditionsOf(wanted, actor, now),
    ...(isFree ? [sql`c.item_id IS NULL AND w.proposed_by IS DISTINCT FROM ${actor}`] : []),
  ]
  const { rows } = await db.execute<WaitingRow>(sql`
    SELECT * FROM (
      SELECT w.id, w.no, ${rank}::float8 AS rank, w.member_id, m.account, m.language, w.amount::float8 AS amount,
        w.method, w.has_picture, w.country, w.unread, w.act, w.created_at::float8 AS created_at,
        w.proposed_by, w.proposed_at::float8 AS proposed_at, c.claimed_by, c.until_at::float8 AS until_at,
        (count(*) OVER ())::int AS total
      FROM (
        SELECT q.*, row_number() OVER (PARTITION BY coalesce(q.member_id, q.id) ORDER BY q.created_at, q.id) AS turn
        FROM (${waitingIn(queue, now)}) q
      ) w
      LEFT JOIN member m ON m.id = w.member_id
      LEFT JOIN LATERAL (
        SELECT * FROM queue_claim q WHERE q.until_at > ${now}::bigint
          AND (q.queue, q.item_id) IN ((${queue}, w.id), (w.same_queue, w.same_id))
        ORDER BY (q.claimed_by = ${actor}) DESC LIMIT 1
      ) c ON true
      WHERE ${sql.join(conditions, sql` AND `)}
    ) v
    WHERE ${after === null ? sql`true` : isAfter(...after)}
    ORDER BY rank, created_at, id LIMIT ${limit}`)
  return rows
}

function isAfter(last: number, createdAtAndId: string): SQL {
  const [createdAt, id] = [parseInt(createdAtAndId, 10), createdAtAndId.replace(/^\d*\./, '')]
  if (Number.isNaN(createdAt)) throw new ApiError('VALIDATION', { fields: { cursor: 'INVALID' } })
  return sql`(v.rank, v.created_at, v.id) > (${last}::float8, ${createdAt}::float8, ${id})`
}

function toItem(row: WaitingRow): QueueItem {
  const { id, no, amount, act, created_at: createdAt, claimed_by: by, until_at: until } = row
  return {
    id,
    no,
    memberId: row.member_id,
    account: row.account,
    language: row.language,
    amount: amount === null ? null : formatMoney(minor(amount)),
    method: row.method,
    hasPicture: row.has_picture,
    country: row.country,
    unread: row.unread,
    preview: null,
    act,
    ...noMarks,
    createdAt,
    proposedBy: row.proposed_by,
    proposedAt: row.proposed_at,
    claim: by === null || until === null ? null : { by, until },
  }
}
