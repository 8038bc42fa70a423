import type { Proposal } from '../../../contract/office/fourEyes.ts'
import type { Texts } from '../../i18n.ts'
import type { Fact } from '../../ui/Facts.tsx'
import { When } from '../../ui/When.tsx'

/** Who proposed what waits for a second person, or what that person confirmed, and when; nothing of a request of one person. */
export function proposedFacts(
  t: Texts,
  proposal: (Pick<Proposal, 'proposedBy' | 'proposedAt'> & Partial<Pick<Proposal, 'note'>>) | null,
): (Fact | false)[] {
  return [
    proposal !== null && { label: t('proposal.by'), value: proposal.proposedBy },
    proposal !== null && { label: t('proposal.at'), value: <When at={proposal.proposedAt} /> },
    typeof proposal?.note === 'string' && { label: t('proposal.note'), value: proposal.note, wide: true },
  ]
}
