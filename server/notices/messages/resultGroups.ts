import { sql } from 'drizzle-orm'
import { epochMs, minor } from '../../../contract/units.ts'
import { resultGroupKey, type Message } from '../../../contract/content.ts'
import { formatMoney } from '../../../contract/money.ts'
import { hourMs, minuteMs, zonedTime } from '../../../contract/time.ts'
import type { Db } from '../../platform/db/database.ts'

/** The results of one hour, in ms and minor units. */
type ResultHour = { from: number; newest: number; count: number; unread: number; pnl: number }

export type ResultGroupPage = {
  limit: number
  /** The position after which the page begins: an instant and an id, as lists are sorted. */
  after: [number, string] | null
}

/**
 * The hours of a member's results, newest first, as rows of the list of messages. Each hour is found by the index from
 * the one before, so a page reads the messages of its own hours only.
 * @returns up to `limit` + 1 rows, so that the caller sees whether there are more
 */
export async function readResultGroups(
  db: Db,
  memberId: string,
  { limit, after }: ResultGroupPage,
  { zone, now }: { zone: string; now: number },
): Promise<Message[]> {
  const shift = hourShift(zone, now)
  // Hours whole on the clocks of the zone; `s` is ms since 1970.
  const hourOf = (s: ReturnType<typeof sql>) =>
    sql`((${s} + ${shift}::bigint) / ${hourMs}::bigint * ${hourMs}::bigint - ${shift}::bigint)`
  const newestBelow = (end: ReturnType<typeof sql>) =>
    hourOf(
      sql`(SELECT max(at) FROM message WHERE member_id = ${memberId} AND category = 'trade' AND at < ${end})`,
    )
  const first = after === null ? sql`${Number.MAX_SAFE_INTEGER}::bigint` : sql`${after[0] + 1}::bigint`
  // One more than the page, and one for the hour of the cursor itself, which the page before may have had.
  const { rows } = await db.execute<ResultHour & Record<string, unknown>>(sql`
    WITH RECURSIVE hours AS (
      SELECT 1 AS n, ${newestBelow(first)} AS start
      UNION ALL
      SELECT n + 1, ${newestBelow(sql`hours.start`)} FROM hours
      WHERE hours.start IS NOT NULL AND n < ${limit + 2}::integer
    )
    SELECT h.start AS "from", g.newest, g.count, g.unread, g.pnl FROM hours h, LATERAL (
      SELECT max(at) AS newest, count(*)::integer AS count,
        (count(*) FILTER (WHERE read_at IS NULL))::integer AS unread,
        coalesce(sum((params->>'pnl')::numeric * 100), 0)::bigint AS pnl
      FROM message WHERE member_id = ${memberId} AND category = 'trade'
        AND at >= h.start AND at < h.start + ${hourMs}::bigint
    ) AS g WHERE h.start IS NOT NULL ORDER BY h.start DESC`)
  return rows
    .map(toGroup)
    .filter(({ at, id }) => after === null || at < after[0] || (at === after[0] && id < after[1]))
    .slice(0, limit + 1)
}

/** How far the whole hours of a zone are from those of UTC, ms: half an hour in Asia/Kolkata. */
export function hourShift(zone: string, now: number): number {
  const minutes = zonedTime(now, zone).minute - new Date(now).getUTCMinutes()
  return ((minutes + 60) % 60) * minuteMs
}

function toGroup({ from, newest, count, unread, pnl }: ResultHour): Message {
  return {
    id: `results-${from}`,
    category: 'trade',
    key: resultGroupKey,
    params: {
      count: String(count),
      unread: String(unread),
      pnl: formatMoney(minor(pnl)),
      from: String(from),
      to: String(from + hourMs),
    },
    title: null,
    body: null,
    lang: null,
    at: epochMs(newest),
    read: unread === 0,
    link: null,
  }
}
