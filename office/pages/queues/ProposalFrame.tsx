import { useState, type ReactNode } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import type { Failure } from '../../../streams/index.ts'
import { call } from '../../api.ts'
import { useTexts, type TextKey, type Texts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { ActName } from '../../ui/ActName.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { EnrolmentNote, enrolmentIn, type Enrolled } from '../../ui/EnrolmentNote.tsx'
import { LinkNote, linkIn } from '../../ui/LinkNote.tsx'
import { Money } from '../../ui/Money.tsx'
import { Warnings } from '../../ui/Warnings.tsx'
import { When } from '../../ui/When.tsx'
import { ProposalNote } from './ProposalNote.tsx'
import { proposalSubjectPath } from './proposalSubject.ts'
import { proposedFacts } from './proposedFacts.tsx'
import type { RequestProps } from './requestProps.ts'
import { RequestLayout } from './RequestLayout.tsx'
import type { RequestView } from './requestView.ts'
import { useMemberOf } from './useMemberOf.ts'
import { useProposalActs } from './useProposalActs.ts'

const { proposals } = officeRoutes
export type ProposalView = RouteAnswer<typeof proposals.list>['items'][number]
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
  const member = useMemberOf('proposals', id, memberId === null ? undefined : { memberId }, about.account)
  const facts = <ProposalFacts t={t} proposal={proposal} />
  const summary = (
    <>
      {about.summary === null ? facts : <Facts items={proposedFacts(t, proposal)} />}
      {about.summary}
    </>
  )
  const actions = useProposalActs(
    proposal,
    { ...about, summary },
    may('proposals.confirm') && (() => call(proposals.confirm, { params: { id } })),
  )
  const path = proposalSubjectPath(subject)
  const { no, amount } = params
  return (
    <RequestLayout
      {...props}
      queue="proposals"
      id={id}
      title={isGone ? t('proposal.gone') : <ActName act={act} />}
      member={member}
      subject={typeof no === 'string' && typeof amount === 'string' ? { no, amount } : undefined}
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

/** The names of what a proposal would do, in words. */
const labels: Readonly<Record<string, TextKey>> = {
  amount: 'column.amount',
  reason: 'column.reason',
  role: 'staff.role',
  name: 'login.name',
  no: 'column.no',
  twoPersonsAbove: 'limit.twoPersonsAbove',
}
/** The request below shows whether the member was called. */
const calledParam = 'called'
const amounts: ReadonlySet<string> = new Set(['amount', 'twoPersonsAbove'])

function valueOf(t: Texts, name: string, value: unknown): ReactNode {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (amounts.has(name)) return <Money value={value} />
  return name === 'role' ? t(`role.${value as StaffRole}`) : value
}

function ProposalFacts({ t, proposal }: { t: Texts; proposal: ProposalView }) {
  return (
    <Facts
      items={[
        { label: t('proposal.act'), value: <ActName act={proposal.act} /> },
        ...proposedFacts(t, proposal),
        { label: t('proposal.until'), value: <When at={proposal.expiresAt} /> },
        ...Object.entries(proposal.params)
          .filter(([name]) => name !== calledParam)
          .map(([name, value]) => ({
            label: labels[name] === undefined ? name : t(labels[name]),
            value: valueOf(t, name, value),
          })),
      ]}
    />
  )
}
