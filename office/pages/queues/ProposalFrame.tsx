import { useState, type ReactNode } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import type { Failure } from '../../../streams/index.ts'
import type { Action } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useTexts, type TextKey, type Texts } from '../../i18n.ts'
import { useMay, useSession } from '../../state/staff.ts'
import { ActName } from '../../ui/ActName.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { EnrolmentNote, enrolmentIn, type Enrolled } from '../../ui/EnrolmentNote.tsx'
import { LinkNote, linkIn } from '../../ui/LinkNote.tsx'
import { Money } from '../../ui/Money.tsx'
import { Warnings } from '../../ui/Warnings.tsx'
import { When } from '../../ui/When.tsx'
import { proposalSubjectPath } from './proposalSubject.ts'
import { proposedFacts } from './proposedFacts.tsx'
import type { RequestProps } from './requestProps.ts'
import { RequestLayout } from './RequestLayout.tsx'
import type { RequestView } from './requestView.ts'
import { useMemberOf } from './useMemberOf.ts'

const { proposals } = officeRoutes
export type ProposalView = RouteAnswer<typeof proposals.list>['items'][number]
type About = RequestView<unknown>
const reasonMax = 300

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
  const { memberId, subject, act, proposedBy, params } = proposal
  const member = useMemberOf('proposals', id, memberId === null ? undefined : { memberId })
  const isOwn = useSession().staff.name === proposedBy
  const facts = <ProposalFacts t={t} proposal={proposal} />
  const summary = (
    <>
      {about.summary === null ? facts : <Facts items={proposedFacts(t, proposal)} />}
      {about.summary}
    </>
  )
  const actions = useActions(proposal, isOwn, { ...about, summary })
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
      {isOwn && <Badge kind="warn">{t('proposal.own')}</Badge>}
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
        ...Object.entries(proposal.params).map(([name, value]) => ({
          label: labels[name] === undefined ? name : t(labels[name]),
          value: valueOf(t, name, value),
        })),
      ]}
    />
  )
}

function useActions(
  proposal: ProposalView,
  isOwn: boolean,
  { summary, danger, closed }: About,
): (Action | false)[] {
  const may = useMay()
  if (proposal.status !== 'open') return []
  const params = { id: proposal.id }
  if (isOwn) {
    return [
      may('proposals.cancel') && {
        key: 'x',
        label: 'proposal.cancel',
        done: 'proposal.cancelled',
        summary,
        run: () => call(proposals.cancel, { params }),
      },
    ]
  }
  return [
    may('proposals.confirm') && {
      key: 'a',
      label: 'proposal.confirm',
      done: 'proposal.confirmed',
      main: true,
      isFinal: true,
      closed: closed.accept,
      danger,
      summary,
      run: () => call(proposals.confirm, { params }),
    },
    may('proposals.decline') && {
      key: 'r',
      label: 'proposal.decline',
      done: 'proposal.declined',
      harm: true,
      closed: closed.reject,
      needs: { kind: 'text', field: 'column.reason', maxLength: reasonMax },
      run: (reason) => call(proposals.decline, { params, body: { reason } }),
    },
  ]
}
