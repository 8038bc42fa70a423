import { Refusal } from '../http/refusal.ts'
import type { Clock } from '../ports.ts'

/** Who decides a request, and why not; a reason refuses it. */
export type Decider = { actor: string; reason: string | null }

/**
 * The columns that a decision writes, but for the status that it leads to.
 * @throws Refusal 409 `CONFLICT` where the request is decided already
 */
export function decisionOf(
  found: { status: string; version: number },
  { actor, reason }: Decider,
  clock: Pick<Clock, 'now'>,
) {
  if (found.status !== 'under_review') throw new Refusal(409, 'CONFLICT')
  return { reason, decidedAt: clock.now(), decidedBy: actor, version: found.version + 1 }
}

/** What the audit calls it. */
export const decisionAct = (reason: string | null): 'approve' | 'reject' =>
  reason === null ? 'approve' : 'reject'
