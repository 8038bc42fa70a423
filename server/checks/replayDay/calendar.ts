import { asc, eq } from 'drizzle-orm'
import { businessDay, type BusinessDay } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { audit } from '../../notices/index.ts'

/** The business calendar as it was: in practice mode the office moves it forward, which the act log records. */
export type PastCalendar = {
  /** Whether it was ever moved. */
  readonly moved: boolean
  /** The business instant of an instant of the venue's clock. */
  businessAt(at: number): number
  dayOf(at: number): BusinessDay
}

type Advance = { at: number; offsetMs: number }

export async function readCalendar(db: Db | DbTransaction, zone: string): Promise<PastCalendar> {
  const rows = await db.select().from(audit).where(eq(audit.act, 'advance')).orderBy(asc(audit.id))
  const advances = rows.map(({ at, details }): Advance => {
    const { ms, from } = JSON.parse(details) as { ms: number; from: number }
    return { at, offsetMs: from + ms }
  })
  const businessAt = (at: number): number =>
    at + (advances.findLast((advance) => advance.at <= at)?.offsetMs ?? 0)
  return { moved: advances.length > 0, businessAt, dayOf: (at) => businessDay(businessAt(at), zone) }
}
