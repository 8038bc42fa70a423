import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { minuteMs } from '../../../contract/time.ts'
import type { Job } from '../../platform/jobs.ts'
import type { Market } from '../../market/index.ts'
import type { NightlyChecksParts } from './parts.ts'
import { reportGaps } from './store.ts'

type GapMarket = Pick<Market, 'ids' | 'gaps' | 'flushedAt'>
/** Instants from < t ≤ to. */
type EndedGap = { id: string; from: number; to: number }

/** What the database had after its newest flush, and what this node had served until then. */
type Stored = {
  flushAt: number
  products: ReadonlySet<string>
  stored: readonly EndedGap[]
  served: readonly EndedGap[]
}

const everyMs = minuteMs

/**
 * Each node checks its own gaps: a proof that it gives lacks those that it lacks. A difference is reported once, and counted
 * for as long as it exists.
 */
export function createGapComparison(parts: NightlyChecksParts): { differing: () => number | null; job: Job } {
  const check = createGapCheck(parts.db, parts.market)
  let found: readonly string[] | null = null
  const run = async (): Promise<void> => {
    const findings = await check()
    if (findings === null) return
    const known = new Set(found)
    found = findings
    await reportGaps(
      parts,
      findings.filter((finding) => !known.has(finding)),
    )
  }
  return {
    differing: () => found && found.length,
    job: { name: 'compare the gaps', everyMs, run, onEveryNode: true },
  }
}

/**
 * Compares the public gaps that this node serves from memory with those of the database. Gaps on their way are no difference:
 * what the database had one call before must be in memory once the node has the flushes of then, and what the node had served
 * must have been stored.
 * @returns one line for each difference; null if the node has not the flushes of the call before yet
 */
export function createGapCheck(db: Db, market: GapMarket): () => Promise<string[] | null> {
  let before: Stored | null = null
  return async () => {
    if (before !== null && market.flushedAt() < before.flushAt) return null
    const served = await readServed(market)
    const findings = before === null ? null : differencesOf(before, served, new Set(market.ids))
    before = { ...(await readStored(db)), served }
    return findings
  }
}

/**
 * Products on only one side have left the table or were never in this log. Their gaps are neither served nor stored.
 */
function differencesOf(
  { products, stored, served }: Stored,
  servedNow: readonly EndedGap[],
  ids: ReadonlySet<string>,
): string[] {
  const keysOf = (gaps: readonly EndedGap[]) => new Set(gaps.map(keyOf))
  const [keysServed, keysStored] = [keysOf(servedNow), keysOf(stored)]
  const lacking = stored.filter((gap) => ids.has(gap.id) && !keysServed.has(keyOf(gap)))
  const invented = served.filter((gap) => products.has(gap.id) && !keysStored.has(keyOf(gap)))
  return [
    ...lacking.map((gap) => `${nameOf(gap)} is not served by this node`),
    ...invented.map((gap) => `${nameOf(gap)} is not in the database`),
  ]
}

const keyOf = ({ id, from, to }: EndedGap): string => `${id} ${from} ${to}`
const nameOf = ({ id, from, to }: EndedGap): string => `gap of ${id} from ${from} to ${to}`

async function readServed(market: GapMarket): Promise<EndedGap[]> {
  const lists = await Promise.all(
    market.ids.map(async (id) => (await market.gaps(id)).map((gap) => ({ id, ...gap }))),
  )
  return lists.flat().flatMap(({ id, from, to }) => (to === null ? [] : [{ id, from, to }]))
}

type StoredRow = {
  flushAt: number | null
  products: string[] | null
  gaps: [string, number, number][] | null
}

/** One statement, so that the gaps are those of the flushes up to the newest. */
async function readStored(db: Db): Promise<Omit<Stored, 'served'>> {
  const { rows } = await db.execute<StoredRow>(sql`
    SELECT (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1) AS "flushAt",
      (SELECT json_agg(id) FROM feed_product) AS products,
      (SELECT json_agg(json_build_array(p.id, g.from_at, g.to_at))
        FROM feed_gap g JOIN feed_product p ON p.ix = g.ix) AS gaps`)
  const [row] = rows
  const stored = (row?.gaps ?? []).map(([id, from, to]) => ({ id, from, to }))
  return { flushAt: row?.flushAt ?? 0, products: new Set(row?.products), stored }
}
