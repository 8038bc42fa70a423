import { sql } from 'drizzle-orm'
import { countLooks } from '../../notices/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { readLastBackup } from '../../platform/lastBackup.ts'
import { createFreshValue } from '../../platform/freshValue.ts'
import type { Clock } from '../../platform/ports.ts'

/** The lists of members' requests that the desk decides. */
export const requestKinds = ['deposits', 'withdrawals', 'verifications', 'password-requests'] as const
export type RequestKind = (typeof requestKinds)[number]
/** How many there are, and since when the oldest waits; null if there are none. */
type Waiting = { count: number; oldestAt: number | null }

/** Figures of the whole venue that only its database has. Each is read no more often than stated here. */
export type VenueFigures = {
  /** Every 15 s: members' requests that wait for the desk, and unsettled orders past their close. */
  waiting: () => Promise<{ requests: ReadonlyMap<RequestKind, Waiting>; orders: Waiting }>
  /** Every 15 s: the most members' records that one of the staff opened in the last hour without a claim. */
  looks: () => Promise<number>
  /** Every minute: the size of the database, and when the last backup was made, if one was. */
  storage: () => Promise<{ databaseBytes: number; lastBackupAt: number | null }>
  /** Every 10 minutes, because it reads every posting: the sum of the ledger in minor units, always 0. */
  ledgerSum: () => Promise<number>
}

const waitingFreshMs = 15_000
const storageFreshMs = 60_000
const ledgerFreshMs = 600_000

export function createVenueFigures(db: Db, clock: Pick<Clock, 'now'>): VenueFigures {
  return {
    waiting: createFreshValue(clock, waitingFreshMs, () => readWaiting(db, clock.now())),
    looks: createFreshValue(clock, waitingFreshMs, async () =>
      Math.max(0, ...(await countLooks(db, clock.now())).values()),
    ),
    storage: createFreshValue(clock, storageFreshMs, () => readStorage(db)),
    ledgerSum: createFreshValue(clock, ledgerFreshMs, () => readLedgerSum(db)),
  }
}

type WaitingRow = { kind: RequestKind | 'orders'; count: number; oldest: number | null }

async function readWaiting(db: Db, now: number): ReturnType<VenueFigures['waiting']> {
  const { rows } = await db.execute<WaitingRow>(sql`
    SELECT 'deposits' AS kind, count(*)::int AS count, min(coalesce(decided_at, created_at)) AS oldest
      FROM deposit WHERE status = 'under_review' OR awaits_second
    UNION ALL SELECT 'withdrawals', count(*)::int, min(created_at) FROM withdrawal WHERE status = 'under_review'
    UNION ALL SELECT 'verifications', count(*)::int, min(submitted_at) FROM verification WHERE status = 'under_review'
    UNION ALL SELECT 'password-requests', count(*)::int, min(created_at)
      FROM password_request WHERE status = 'under_review'
    UNION ALL SELECT 'orders', count(*)::int, min(close_at)
      FROM orders WHERE settled_at IS NULL AND close_at < ${now}::bigint`)
  const byKind = new Map(rows.map(({ kind, count, oldest }) => [kind, { count, oldestAt: oldest }]))
  const none: Waiting = { count: 0, oldestAt: null }
  return {
    requests: new Map(requestKinds.map((kind) => [kind, byKind.get(kind) ?? none])),
    orders: byKind.get('orders') ?? none,
  }
}

async function readStorage(db: Db): ReturnType<VenueFigures['storage']> {
  const { rows } = await db.execute<{ bytes: number }>(
    sql`SELECT pg_database_size(current_database())::float8 AS bytes`,
  )
  return { databaseBytes: rows[0]?.bytes ?? 0, lastBackupAt: (await readLastBackup(db))?.at ?? null }
}

async function readLedgerSum(db: Db): Promise<number> {
  const { rows } = await db.execute<{ sum: number }>(sql`
    SELECT coalesce(sum(available + held + stakes + fund + house + grants + external), 0)::float8 AS sum FROM posting`)
  return rows[0]?.sum ?? 0
}
