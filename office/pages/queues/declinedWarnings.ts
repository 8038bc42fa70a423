import type { Declined } from '../../../contract/office/fourEyes.ts'
import type { Texts } from '../../i18n.ts'

/** That others declined the same before, or to reject it, and why: who proposes it again does not choose what is known of it. */
export const declinedWarnings = (t: Texts, declined: readonly Declined[]): string[] =>
  declined.map(({ act, proposedBy, decidedBy, reason }) =>
    t(act.endsWith('.reject') ? 'danger.declinedRejection' : 'danger.declined', {
      by: decidedBy ?? '',
      proposer: proposedBy,
      reason: reason ?? '',
    }),
  )

/** In a list: what was declined last, and why. */
export const lastDeclinedText = (
  t: Texts,
  { act, decidedBy, reason }: Pick<Declined, 'act' | 'decidedBy' | 'reason'>,
): string =>
  t(act.endsWith('.reject') ? 'queue.declinedRejectionBy' : 'queue.declinedBy', {
    by: decidedBy ?? '',
    reason: reason ?? '',
  })
