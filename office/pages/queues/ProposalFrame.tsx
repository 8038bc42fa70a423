import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import type { Failure } from '../../../streams/index.ts'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { ActName } from '../../ui/ActName.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { EnrolmentNote, enrolmentIn, type Enrolled } from '../../ui/EnrolmentNote.tsx'
import { LinkNote, linkIn } from '../../ui/LinkNote.tsx'
import { Warnings } from '../../ui/Warnings.tsx'
import { ProposalFacts, type ProposalView } from './ProposalFacts.tsx'
import { ProposalNote } from './ProposalNote.tsx'
import { proposalSubjectPath } from './proposalSubject.ts'
import { proposedFacts } from './proposedFacts.tsx'
import type { RequestProps } from './requestProps.ts'
import { RequestLayout } from './RequestLayout.tsx'
import type { RequestView } from './requestView.ts'
import { useMemberOf } from './useMemberOf.ts'
import { useProposalActs } from './useProposalActs.ts'

const { proposals } = officeRoutes
type About = RequestView<unknown>

type ProposalFrameProps = RequestProps & {
  proposal: ProposalView
  failure: Failure | undefined
  /** It is open no more. */
  isGone: boolean
  /** What it is about, with the dangers. */
  about: About
}

/** A proposal: what would be done, who proposed it and wrote what, and below it the request itself. */
export function ProposalFrame(frame: ProposalFrameProps) {
  const { id, proposal, failure, isGone, about, onDecided, ...props } = frame
  const t = useTexts()
  const [link, setLink] = useState<string | null>(null)
  const [enrolment, setEnrolment] = useState<Enrolled | null>(null)
  const { memberId, subject, act, params } = proposal
  const may = useMay()
  const member = useMemberOf('proposals', id, memberId === null ? undefined : { memberId }, about.person)
  // A request below says by itself who proposed what.
  const hasRequest = about.summary !== null
  const facts = <ProposalFacts proposal={proposal} hasRequest={hasRequest} />
  const summary = (
    <>
      {hasRequest ? <Facts items={proposedFacts(t, proposal)} /> : facts}
      {about.summary}
    </>
  )
  const actions = useProposalActs(
    proposal,
    { ...about, summary },
    may('proposals.confirm') && (() => call(proposals.confirm, { params: { id } })),
  )
  const path = proposalSubjectPath(subject)
  const { no, amount, name } = params
  return (
    <RequestLayout
      {...props}
      queue="proposals"
      id={id}
      title={isGone ? t('proposal.gone') : <ActName act={act} />}
      member={member}
      subject={typeof no === 'string' && typeof amount === 'string' ? { no, amount } : undefined}
      whom={typeof name === 'string' ? name : undefined}
      failure={failure ?? about.failure}
      actions={isGone ? [] : actions}
      onDecided={(answer) => {
        const issued = linkIn(answer)
        const enrolled = enrolmentIn(answer)
        if (issued === null && enrolled === null) onDecided()
        setLink(issued)
        setEnrolment(enrolled)
      }}
    >
      {enrolment !== null && <EnrolmentNote enrolment={enrolment} onClose={() => onDecided()} />}
      {link !== null && <LinkNote text={t('password.link')} link={link} onClose={() => onDecided()} />}
      {!isGone && <ProposalNote proposal={proposal} />}
      <Warnings texts={about.danger?.warnings ?? []} />
      {facts}
      {about.body}
      {path !== undefined && (
        <p>
          <TextLink href={hrefTo(path)}>{t('proposal.subject')}</TextLink>
        </p>
      )}
    </RequestLayout>
  )
}
