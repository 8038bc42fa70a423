import { sql, type SQL } from 'drizzle-orm'
import type { RequestState } from '../../../contract/office/schema.ts'

/** The state of a row of withdrawals for the staff. */
export const withdrawalState = (row: SQL): SQL<RequestState> =>
  sql<RequestState>`CASE WHEN ${row}.ended_as = 'cancelled' THEN 'cancelled'
    WHEN ${row}.status = 'under_review' AND ${row}.approved_at IS NOT NULL THEN 'approved' ELSE ${row}.status END`
