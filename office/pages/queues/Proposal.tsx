import { useState } from 'react'
import type { ReactNode } from 'react'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { StaffRole } from '../../../contract/backOffice/staff.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import { Badge } from '../../../src/ui/Badge.tsx'
import type { Action } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useDeskList } from '../../data/useDesk.ts'
import { useTexts } from '../../i18n.ts'
import type { TextKey, Texts } from '../../i18n.ts'
import { useMay, useSession } from '../../state/staff.ts'
import { ActName } from '../../ui/ActName.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { LinkNote, linkIn } from '../../ui/LinkNote.tsx'
import { Money } from '../../ui/Money.tsx'
import { When } from '../../ui/When.tsx'
import { proposalSubjectPath } from './proposalSubject.ts'
import { proposedFacts } from './proposedFacts.tsx'
import type { RequestProps } from './RequestDetail.tsx'
import { RequestFrame } from './RequestFrame.tsx'
import { useMemberOf } from './useMemberOf.ts'

const { proposals } = backOfficeRoutes
type ProposalView = RouteAnswer<typeof proposals.list>['items'][number]
const reasonMax = 300

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

/** What one person proposed and another one decides. It is done at once when it is confirmed. */
export function Proposal({ id, onDecided, ...props }: RequestProps) {
  const [link, setLink] = useState<string | null>(null)
  const t = useTexts()
  const { items, failure } = useDeskList(proposals.list, { query: { status: 'open' } })
  const proposal = items.find((item) => item.id === id)
  const memberId = proposal?.memberId ?? null
  const member = useMemberOf('proposals', memberId === null ? undefined : { memberId })
  const isOwn = useSession().staff.name === proposal?.proposedBy
  const facts = proposal !== undefined && <ProposalFacts t={t} proposal={proposal} />
  const actions = useActions(proposal, isOwn, facts)
  const subject = proposal && proposalSubjectPath(proposal.subject)
  return (
    <RequestFrame
      {...props}
      queue="proposals"
      id={id}
      title={proposal === undefined ? t('proposal.gone') : <ActName act={proposal.act} />}
      member={member}
      failure={failure}
      actions={actions}
      onDecided={(answer) => {
        const issued = linkIn(answer)
        if (issued === null) onDecided()
        else setLink(issued)
      }}
    >
      {link !== null && <LinkNote text={t('password.link')} link={link} onClose={onDecided} />}
      {isOwn && <Badge kind="warn">{t('proposal.own')}</Badge>}
      {facts}
      {subject !== undefined && (
        <p>
          <TextLink href={hrefTo(subject)}>{t('proposal.subject')}</TextLink>
        </p>
      )}
    </RequestFrame>
  )
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
  proposal: ProposalView | undefined,
  isOwn: boolean,
  summary: ReactNode,
): (Action | false)[] {
  const may = useMay()
  if (proposal?.status !== 'open') return []
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
      summary,
      run: () => call(proposals.confirm, { params }),
    },
    may('proposals.decline') && {
      key: 'r',
      label: 'proposal.decline',
      done: 'proposal.declined',
      needs: { kind: 'text', field: 'column.reason', maxLength: reasonMax },
      run: (reason) => call(proposals.decline, { params, body: { reason } }),
    },
  ]
}
