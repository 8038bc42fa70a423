import { useEffect, useState } from 'react'
import type { FourEyesAct } from '../../../contract/office/fourEyes.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { freshMs, useOfficeList } from '../../data/useOfficeCall.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Warnings } from '../../ui/Warnings.tsx'
import { declinedWarnings } from './declinedWarnings.ts'
import { MemberFacts } from './MemberFacts.tsx'
import { MemberMarks } from './MemberMarks.tsx'
import type { ProposalView } from './ProposalFacts.tsx'
import { proposedDanger } from './proposedDanger.ts'
import { ProposalFrame } from './ProposalFrame.tsx'
import type { RequestProps } from './requestProps.ts'
import { RemovedAccount } from './RemovedAccount.tsx'
import { RequestLayout } from './RequestLayout.tsx'
import { useDepositView } from './useDepositView.tsx'
import { useMemberFacts } from './useMemberFacts.ts'
import { usePasswordView } from './usePasswordView.tsx'
import { useWithdrawalView } from './useWithdrawalView.tsx'

const { proposals } = officeRoutes
const ofDeposits: ReadonlySet<FourEyesAct> = new Set(['deposits.approve', 'deposits.reject'])
const ofWithdrawals: ReadonlySet<FourEyesAct> = new Set(['withdrawals.approve', 'withdrawals.reject'])

/**
 * What one person proposed and another one decides. It is done at once when it is confirmed, so the second person gets
 * the same view as the first.
 */
export function Proposal(props: RequestProps) {
  const t = useTexts()
  const may = useMay()
  const { proposal: current, failure, isLoading } = useProposal(props.id)
  const [known, setKnown] = useState<ProposalView>()
  if (current !== undefined && current !== known) setKnown(current)
  // A proposal that no longer waits stays on screen, with the text of its dialog.
  const proposal = current ?? known
  if (proposal === undefined) {
    const title = isLoading
      ? 'list.loading'
      : failure === undefined
        ? 'proposal.gone'
        : 'queue.proposals.title'
    return (
      <RequestLayout {...props} queue="proposals" title={t(title)} member={null} failure={failure}>
        {null}
      </RequestLayout>
    )
  }
  const isGone = current === undefined && !isLoading && failure === undefined
  const own = { ...props, proposal, failure, isGone }
  const { act } = proposal
  if (ofDeposits.has(act) && may('deposits.show')) return <OfDeposit {...own} />
  if (ofWithdrawals.has(act) && may('withdrawals.show')) return <OfWithdrawal {...own} />
  if (act === 'password-requests.approve' && may('password-requests.show')) return <OfPassword {...own} />
  return <OfMember {...own} />
}

type Props = Omit<Parameters<typeof ProposalFrame>[0], 'about'>

function OfDeposit(props: Props) {
  return <ProposalFrame {...props} about={useDepositView(props.proposal.subject.id)} />
}

function OfWithdrawal(props: Props) {
  return <ProposalFrame {...props} about={useWithdrawalView(props.proposal.subject.id)} />
}

function OfPassword(props: Props) {
  return <ProposalFrame {...props} about={usePasswordView(props.proposal.subject.id)} />
}

/** About a member, or about none: then there is nothing to view first. */
function OfMember(props: Props) {
  const t = useTexts()
  const { act, subject, memberId, declined } = props.proposal
  const read = useMemberFacts(memberId)
  const format = useOfficeFormat()
  const waiting = read.isReady ? undefined : t('request.look')
  const about = {
    data: undefined,
    failure: undefined,
    person: read.facts,
    body: (
      <>
        <Warnings texts={declinedWarnings(t, declined)} />
        {memberId !== null && act === 'withdrawal-accounts.unbind' && <RemovedAccount memberId={memberId} />}
        <MemberMarks facts={read.facts} />
        {memberId !== null && <MemberFacts read={read} requestId={subject.id} withPhone />}
      </>
    ),
    summary: null,
    danger: proposedDanger(t, format, props.proposal),
    closed: { accept: waiting, reject: undefined },
  }
  return <ProposalFrame {...props} about={about} />
}

/** An open proposal, looked for page by page; undefined while it is, and if it is open no more. */
function useProposal(id: string): {
  proposal: ProposalView | undefined
  failure: ReturnType<typeof useOfficeList>['failure']
  isLoading: boolean
} {
  const { items, failure, isLoading, hasMore, isLoadingMore, more } = useOfficeList(
    proposals.list,
    { query: { status: 'open' } },
    { everyMs: freshMs },
  )
  const proposal = items.find((item) => item.id === id)
  const looksOn = proposal === undefined && hasMore && failure === undefined
  useEffect(() => {
    if (looksOn && !isLoadingMore) more()
    // oxlint-disable-next-line react/exhaustive-deps -- `more` is another function each time
  }, [looksOn, isLoadingMore])
  return { proposal, failure, isLoading: isLoading || looksOn }
}
