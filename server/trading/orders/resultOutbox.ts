import { asc, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { heldTerm, type Fence } from '../../platform/db/fence.ts'
import { orders, resultOutbox, type OrderRow } from '../schema.ts'
import { type Messages, type NewMessage, isMutedSql, withReadAt } from '../../notices/index.ts'
import type { Module } from '../../platform/module.ts'
import type { Report } from '../../platform/ports.ts'
import { toResultMessage } from './resultMessage.ts'

/**
 * Writes the messages about final orders. Thousands of orders close in one second, and their results must not wait for
 * messages: the statement that settles orders only lists them, and the messages are written a moment later. So no stop
 * loses a message, and one statement takes orders from the list and writes their messages, so that each is written once.
 */
export type ResultOutbox = {
  /** Call after orders are settled. */
  onSettled(rows: readonly OrderRow[]): void
  /** Writes the messages of all listed orders, one entry of the list at a time. */
  flush(): Promise<void>
}

type Parts = {
  db: Db
  fence: Fence
  messages: Pick<Messages, 'prepare' | 'publish' | 'republish'>
  report: Report
}
type Entry = typeof resultOutbox.$inferSelect

const flushEveryMs = 1000
/** More orders settled since the last run than this are a burst: its last results must not wait for messages about the first. */
const burstMin = 500
/** Runs that a burst defers, at most. */
const deferredMax = 5
/** Entries of the list that are read at a time. */
const entriesMax = 50
/** Orders in memory, at most: a database that rejects writes must not fill it. Others are read again. */
const knownMax = 50_000

export function createResultOutbox({ db, fence, messages, report }: Parts): ResultOutbox & Module {
  /** Orders that were settled here and have no message yet. */
  const known = new Map<string, OrderRow>()
  let isPending = false
  let settledSinceRun = 0
  let deferredRuns = 0
  /** Messages of a statement that may be committed although it failed here: then no member was notified. */
  let uncertain: readonly NewMessage[] = []

  const writeEntry = async (entry: Entry): Promise<void> => {
    const rows = await readOrders(db, entry.orderIds, known)
    const prepared = rows.flatMap((row) =>
      messages.prepare(toResultMessage(row)).map((each) => ({ ...each, at: row.settledAt ?? each.at })),
    )
    uncertain = prepared
    const written = await writeMessages({ db, fence }, entry, prepared)
    uncertain = []
    for (const id of entry.orderIds) known.delete(id)
    messages.publish(written)
  }
  const flush = async (): Promise<void> => {
    await messages.republish(uncertain)
    uncertain = []
    const readEntries = () => db.select().from(resultOutbox).orderBy(asc(resultOutbox.id)).limit(entriesMax)
    for (let entries = await readEntries(); entries.length > 0; entries = await readEntries())
      for (const entry of entries) await writeEntry(entry)
  }
  const flushPending = async (): Promise<void> => {
    if (!isPending) return
    isPending = false
    try {
      await flush()
    } catch (error) {
      isPending = true
      throw error
    }
  }
  const isDeferred = (): boolean => {
    const isBurst = settledSinceRun >= burstMin && deferredRuns < deferredMax
    settledSinceRun = 0
    deferredRuns = isBurst ? deferredRuns + 1 : 0
    return isBurst
  }
  return {
    onSettled: (rows) => {
      isPending = true
      settledSinceRun += rows.length
      for (const row of rows) if (known.size < knownMax) known.set(row.id, row)
    },
    flush,
    // The leader before may have left some.
    start: async () => {
      isPending = true
    },
    stop: () => flushPending().catch((error: unknown) => report('sending result messages failed', error)),
    jobs: [
      {
        name: 'send result messages',
        everyMs: flushEveryMs,
        run: () => (isDeferred() ? Promise.resolve() : flushPending()),
      },
    ],
  }
}

async function readOrders(
  db: Db,
  ids: readonly string[],
  known: ReadonlyMap<string, OrderRow>,
): Promise<OrderRow[]> {
  // Before the read: the engine may report an order meanwhile, which must not count twice.
  const found = ids.flatMap((id) => known.get(id) ?? [])
  const missing = ids.filter((id) => !known.has(id))
  const read = missing.length === 0 ? [] : await db.select().from(orders).where(inArray(orders.id, missing))
  return [...found, ...read]
}

/**
 * Takes an entry from the list and writes its messages, in one statement, so that the embedded database is not occupied
 * in between.
 * @returns the messages as they are stored: none if another node has taken the entry
 */
async function writeMessages(
  { db, fence }: Pick<Parts, 'db' | 'fence'>,
  { id }: Entry,
  rows: readonly NewMessage[],
): Promise<NewMessage[]> {
  const input = JSON.stringify(rows.map(({ memberId, ...row }) => ({ ...row, member_id: memberId })))
  const written = await fence.guard(() =>
    db.execute<{ id: string; readAt: number | null }>(sql`
      WITH fence AS MATERIALIZED (
        SELECT ${heldTerm(fence.term)}
      ), taken AS (
        DELETE FROM result_outbox WHERE id = ${id}::bigint AND EXISTS (SELECT FROM fence) RETURNING id
      )
      INSERT INTO message (id, member_id, category, key, params, link, at, read_at)
      SELECT i.id, i.member_id, i.category, i.key, i.params, i.link, i.at, CASE WHEN ${isMutedSql} THEN i.at END
      FROM taken, jsonb_to_recordset(${input}::jsonb) AS i (
        id text, member_id text, category text, key text, params jsonb, link text, at bigint)
      RETURNING id, read_at AS "readAt"`),
  )
  return written.rows.length === 0 ? [] : withReadAt(rows, written.rows)
}
