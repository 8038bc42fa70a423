import { ApiError } from '../apiError.ts'
import type { Clock } from '../ports.ts'

/** Who decides a request, and why not; a reason refuses it. */
export type Decision = { actor: string; reason: string | null }

/**
 * The columns that a decision writes, but for the status that it leads to.
 * @throws Refusal 409 `CONFLICT` where the request is decided already
 */
export function toDecisionColumns(
  found: { status: string; version: number },
  { actor, reason }: Decision,
  clock: Pick<Clock, 'now'>,
) {
  if (found.status !== 'under_review') throw new ApiError(409, 'CONFLICT')
  return { reason, decidedAt: clock.now(), decidedBy: actor, version: found.version + 1 }
}

/** What the audit calls it. */
export const decisionAuditAct = (reason: string | null): 'approve' | 'reject' =>
  reason === null ? 'approve' : 'reject'
