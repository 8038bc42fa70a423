import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { withNote } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { firstCodeIn, LinkNote, linkIn } from '../../ui/LinkNote.tsx'
import { Warnings } from '../../ui/Warnings.tsx'
import type { RequestProps } from './requestProps.ts'
import { ProposalNote } from './ProposalNote.tsx'
import { RequestLayout } from './RequestLayout.tsx'
import { useMemberOf } from './useMemberOf.ts'
import { useProposalActs } from './useProposalActs.ts'
import { usePasswordView } from './usePasswordView.tsx'

const requests = officeRoutes['password-requests']

/**
 * A request for a new password. Nobody here sees or sets one: it was entered with the request, or, if the old one is
 * forgotten, the member enters it at a link that the clerk hands over.
 */
export function PasswordRequest({ id, onDecided, ...props }: RequestProps) {
  const t = useTexts()
  const may = useMay()
  const view = usePasswordView(id)
  const { data, failure, body, summary, danger, closed, tick } = view
  const member = useMemberOf('password-requests', id, data, view.person)
  const [link, setLink] = useState<string | null>(null)
  const [firstCode, setFirstCode] = useState<string | null>(null)
  const params = { id }
  const confirm = may('password-requests.approve') && (() => call(requests.approve, { params, body: {} }))
  const second = useProposalActs(data?.proposal ?? null, view, confirm)
  const isOpen = data?.status === 'under_review' && second.length === 0
  // A link or code is shown once, so the next request is not opened over it.
  const decided = (answer: unknown): void => {
    const issued = linkIn(answer)
    const code = firstCodeIn(answer)
    if (issued === null && code === null) onDecided()
    setLink(issued)
    setFirstCode(code)
  }
  return (
    <RequestLayout
      {...props}
      queue="password-requests"
      id={id}
      title={data === undefined ? t('list.loading') : t(`password.${data.kind}`)}
      member={member}
      failure={failure}
      onDecided={decided}
      actions={[
        ...second,
        isOpen &&
          may('password-requests.approve') && {
            key: 'a',
            label: data.takesTwo ? 'request.propose' : 'request.approve',
            done: 'request.approved',
            main: true,
            ...(data.takesTwo ? { forSecond: true } : { isFinal: true }),
            closed: closed.accept,
            danger,
            summary,
            tick,
            run: (_, note) =>
              call(requests.approve, {
                params,
                body: { ...withNote(note), ...(tick !== undefined && { called: true }) },
              }),
          },
        isOpen &&
          may('password-requests.reject') && {
            key: 'r',
            label: 'request.reject',
            done: 'request.rejected',
            harm: true,
            isFinal: true,
            needs: { kind: 'reason', topic: 'password-requests' },
            run: (reason) => call(requests.reject, { params, body: { reason } }),
          },
      ]}
    >
      {link !== null && <LinkNote text={t('password.link')} link={link} onClose={onDecided} />}
      {firstCode !== null && data?.proposal?.status === 'open' && (
        <LinkNote text={t('password.firstCode')} link={firstCode} isCode onClose={onDecided} />
      )}
      <ProposalNote proposal={data?.proposal} />
      <Warnings texts={danger?.warnings ?? []} />
      {body}
    </RequestLayout>
  )
}
