import { between, desc, eq, sql, type SQL } from 'drizzle-orm'
import { annualisedBp } from '../../../contract/fund.ts'
import { addDays, type BusinessDay } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { fundRate } from '../schema.ts'

/**
 * The rates of past days. A rate is recorded when it is first needed, and a recorded rate never changes. The database computes
 * it from what the leader has published, and refuses any other.
 */
export type Rates = {
  /** The recorded rate of a past day, in ten-thousandths for 10,000.00. */
  recorded(tx: DbTransaction, day: BusinessDay): Promise<number>
  /** Rates of `count` days up to and including `last`, newest first: recorded ones, else those of the settings. */
  until(db: Db | DbTransaction, last: BusinessDay, count: number): Promise<number[]>
  /** Records the rates of the days after the newest recorded one and before `today`. */
  recordUntil(db: Db | DbTransaction, today: BusinessDay): Promise<void>
}

const publishedIn = (day: BusinessDay): SQL<number> => sql<number>`fund_rate_of(${day})`

/** How many days the annual rate is computed from. */
export const weekDays = 7

/** @param published returns the rate of a day in the settings */
export function createRates(published: (day: BusinessDay) => number): Rates {
  const cache = new Map<BusinessDay, number>()
  return {
    recorded: async (tx, day) => {
      const cached = cache.get(day)
      if (cached !== undefined) return cached
      await tx
        .insert(fundRate)
        .values({ onDay: day, per10k: publishedIn(day) })
        .onConflictDoNothing()
      const [row] = await tx.select().from(fundRate).where(eq(fundRate.onDay, day))
      return row?.per10k ?? published(day)
    },
    until: async (db, last, count) => {
      const days = Array.from({ length: count }, (_, back) => addDays(last, -back))
      let rates: ReadonlyMap<BusinessDay, number> = cache
      if (days.some((day) => !cache.has(day))) {
        rates = await read(db, addDays(last, 1 - count), last)
        // A transaction may have recorded what it sees, and may not be committed.
        if (!isTransaction(db)) for (const [day, per10k] of rates) cache.set(day, per10k)
      }
      return days.map((day) => rates.get(day) ?? published(day))
    },
    recordUntil: async (db, today) => {
      const [newest] = await db.select().from(fundRate).orderBy(desc(fundRate.onDay)).limit(1)
      const first = newest ? addDays(newest.onDay, 1) : addDays(today, -1)
      const rows: { onDay: string; per10k: SQL<number> }[] = []
      for (let day = first; day < today; day = addDays(day, 1))
        rows.push({ onDay: day, per10k: publishedIn(day) })
      if (rows.length > 0) await db.insert(fundRate).values(rows).onConflictDoNothing()
    },
  }
}

async function read(db: Db | DbTransaction, first: BusinessDay, last: BusinessDay) {
  const rows = await db
    .select()
    .from(fundRate)
    .where(between(fundRate.onDay, first, last))
  return new Map(rows.map(({ onDay, per10k }) => [onDay, per10k]))
}

const isTransaction = (db: Db | DbTransaction): db is DbTransaction => 'rollback' in db

/** The annual rate of the seven days from index `start` in a list that is newest first. */
export const weekRateBp = (newestFirst: readonly number[], start = 0): number =>
  annualisedBp(newestFirst.slice(start, start + weekDays))
