import type { Declined } from '../../../contract/office/fourEyes.ts'
import type { Texts } from '../../i18n.ts'

/** That others declined the same before, and why: whoever proposes it again does not choose what the next person knows. */
export const declinedWarnings = (t: Texts, declined: readonly Declined[]): string[] =>
  declined.map(({ proposedBy, decidedBy, reason }) =>
    t('danger.declined', { by: decidedBy ?? '', proposer: proposedBy, reason: reason ?? '' }),
  )
