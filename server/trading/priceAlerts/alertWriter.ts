import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { heldTerm, type Fence } from '../../platform/db/fence.ts'
import { message, type Messages, type NewMessage, keepMs } from '../../notices/index.ts'
import { withRetry } from '../../platform/db/retry.ts'
import type { Clock, Report } from '../../platform/ports.ts'
import type { Market } from '../../market/index.ts'
import { TaskTracker } from '../../platform/taskTracker.ts'
import type { WaitingAlert } from './alertJudge.ts'
import { toAlertMessage, toPushPayload } from './alertRow.ts'

export type AlertWriterParts = {
  db: Db
  fence: Fence
  messages: Pick<Messages, 'prepare' | 'publish'>
  /** Called after the commit, once per alert. */
  onWritten: (alerts: readonly WaitingAlert[]) => void
  market: Pick<Market, 'settings'>
  clock: Pick<Clock, 'now'>
  report: Report
}

/** A reached alert and the message about it. */
type Reached = { alert: WaitingAlert; prepared: NewMessage; isUncertain: boolean }

/** Alerts that one statement writes at most. */
const batchMax = 500

/**
 * Stores that alerts are reached: one statement takes them from the table, writes their messages, and lists what is sent
 * to the member's devices, so that each is reported once, whatever other process writes the same.
 */
export function createAlertWriter(parts: AlertWriterParts) {
  const { db, messages, onWritten, report } = parts
  const queue = new Map<string, Reached>()
  const writing = new TaskTracker()

  const writeBatch = async (): Promise<void> => {
    const batch = [...queue.values()].slice(0, batchMax)
    const uncertain = batch.filter(({ isUncertain }) => isUncertain)
    const stored = await storedBefore(db, uncertain)
    // If this fails the outcome may be unknown: the next try finds the messages that it has written.
    for (const each of batch) each.isUncertain = true
    const taken = await withRetry(() => takeReached(parts, batch))
    const written = batch.filter(({ alert, prepared }) => taken.has(alert.id) || stored.has(prepared.id))
    for (const { alert } of batch) queue.delete(alert.id)
    messages.publish(written.map(({ prepared }) => prepared))
    onWritten(written.map(({ alert }) => alert))
  }
  const writeAll = async (): Promise<void> => {
    try {
      // In the next turn, so that all alerts of one flush are written together.
      await Promise.resolve()
      while (queue.size > 0) await writeBatch()
    } catch (error) {
      // They stay in the queue for the next run.
      report('storing reached price alerts failed', error)
    }
  }
  /** Writes what is in the queue, unless that is under way. */
  const run = (): void => {
    if (queue.size > 0 && !writing.isBusy) void writing.add(writeAll())
  }
  return {
    add: (alerts: readonly WaitingAlert[]): void => {
      for (const alert of alerts) {
        const [prepared] = messages.prepare(toAlertMessage(alert))
        if (prepared && !queue.has(alert.id)) queue.set(alert.id, { alert, prepared, isUncertain: false })
      }
      run()
    },
    /** Whether everything that was added is committed. */
    isDone: (): boolean => queue.size === 0,
    run,
    idle: () => writing.idle(),
  }
}

/** The messages that an earlier statement with unknown outcome has written. */
async function storedBefore(db: Db, uncertain: readonly Reached[]): Promise<ReadonlySet<string>> {
  if (uncertain.length === 0) return new Set()
  const ids = uncertain.map(({ prepared }) => prepared.id)
  const rows = await db.select({ id: message.id }).from(message).where(inArray(message.id, ids))
  return new Set(rows.map(({ id }) => id))
}

/** @returns the ids of the alerts that were still waiting */
async function takeReached(
  { db, fence, clock, market }: AlertWriterParts,
  batch: readonly Reached[],
): Promise<ReadonlySet<string>> {
  const now = clock.now()
  const input = JSON.stringify(
    batch.map(({ alert, prepared: { memberId, ...row } }) => ({
      ...row,
      member_id: memberId,
      alert_id: alert.id,
      payload: toPushPayload(alert, market.settings(alert.productId)?.code),
    })),
  )
  const { rows } = await fence.guard(() =>
    db.execute<{ id: string }>(sql`
      WITH fence AS MATERIALIZED (
        SELECT ${heldTerm(fence.term)}
      ), reached AS (
        SELECT * FROM jsonb_to_recordset(${input}::jsonb) AS i (
          alert_id text, id text, member_id text, category text, key text, params jsonb, link text, at bigint,
          payload jsonb)
      ), taken AS (
        DELETE FROM price_alert WHERE id IN (SELECT alert_id FROM reached) AND EXISTS (SELECT FROM fence) RETURNING id
      ), notified AS (
        INSERT INTO message (id, member_id, category, key, params, link, at)
        SELECT r.id, r.member_id, r.category, r.key, r.params, r.link, r.at
        FROM taken JOIN reached r ON r.alert_id = taken.id
      ), listed AS (
        INSERT INTO push_delivery (session_id, payload, next_at, expires_at)
        SELECT s.session_id, r.payload, ${now}::bigint, ${now + keepMs}::bigint
        FROM taken JOIN reached r ON r.alert_id = taken.id JOIN push_subscription s ON s.member_id = r.member_id
      )
      SELECT id FROM taken`),
  )
  return new Set(rows.map(({ id }) => id))
}
