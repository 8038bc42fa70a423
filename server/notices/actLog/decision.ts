import { ApiError } from '../../platform/apiError.ts'
import type { Clock } from '../../platform/ports.ts'

/** A decision on a member's request: by whom, and the reason of a rejection; null approves. */
export type Decision = { actor: string; reason: string | null }

/**
 * The columns that a decision writes, except the status.
 * @throws ApiError `CONFLICT` if the request is already decided
 */
export function toDecisionColumns(
  row: { status: string; version: number },
  { actor, reason }: Decision,
  clock: Pick<Clock, 'now'>,
) {
  if (row.status !== 'under_review') throw new ApiError('CONFLICT')
  return { reason, decidedAt: clock.now(), decidedBy: actor, version: row.version + 1 }
}

/** The decision's `act` in the act log. */
export const decisionAct = (reason: string | null): 'approve' | 'reject' =>
  reason === null ? 'approve' : 'reject'
