import type { Proposal } from '../../../contract/office/fourEyes.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { useTexts } from '../../i18n.ts'
import { useIsOwn } from './useProposalActs.ts'

/** What one is for what waits for a second person: who proposed it, or that person. Nothing if nothing waits. */
export function ProposalNote({ proposal }: { proposal: Proposal | null | undefined }) {
  const t = useTexts()
  const isOwn = useIsOwn(proposal ?? null)
  if (proposal?.status !== 'open') return null
  const { act, proposedBy: name } = proposal
  const { reason } = proposal.params
  const rejects = act.endsWith('.reject')
  const own = rejects ? 'proposal.ownRejection' : 'proposal.own'
  const first = rejects
    ? 'proposal.rejectedBy'
    : act.endsWith('.approve')
      ? 'proposal.approvedBy'
      : 'proposal.proposedBy'
  return (
    <Badge kind="warn" isSentence>
      {isOwn
        ? t(proposal.nobodyElse === true ? 'proposal.nobodyElse' : own)
        : t(first, { name, reason: typeof reason === 'string' ? reason : '' })}
    </Badge>
  )
}
