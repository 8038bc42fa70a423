import { useState } from 'react'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { call } from '../../api.ts'
import { useDesk } from '../../data/useDesk.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Facts } from '../../ui/Facts.tsx'
import { LinkNote, linkIn } from '../../ui/LinkNote.tsx'
import { decisionFacts } from './decisionFacts.tsx'
import { proposedFacts } from './proposedFacts.tsx'
import type { RequestProps } from './RequestDetail.tsx'
import { RequestFrame } from './RequestFrame.tsx'
import { useMemberOf } from './useMemberOf.ts'

const requests = backOfficeRoutes['password-requests']

/**
 * A request for a new password. Nobody here sees or sets one: it was entered with the request, or, if the old one is
 * forgotten, the member enters it at a link that the clerk hands over.
 */
export function PasswordRequest({ id, onDecided, ...props }: RequestProps) {
  const t = useTexts()
  const may = useMay()
  const { data, failure } = useDesk(requests.show, { params: { id } })
  const member = useMemberOf('password-requests', data)
  const [link, setLink] = useState<string | null>(null)
  const isOpen = data?.status === 'under_review'
  const params = { id }
  const facts = data !== undefined && (
    <Facts
      items={[
        { label: t('column.account'), value: member?.account },
        { label: t('password.kind'), value: t(`password.${data.kind}`) },
        { label: t('password.old'), value: t(data.recovery ? 'password.forgotten' : 'password.known') },
        ...decisionFacts(t, data),
        ...proposedFacts(t, data.proposal),
      ]}
    />
  )
  // The link is shown once, so the next request is not opened over it.
  const decided = (answer: unknown): void => {
    const issued = linkIn(answer)
    if (issued === null) onDecided()
    else setLink(issued)
  }
  return (
    <RequestFrame
      {...props}
      queue="password-requests"
      id={id}
      title={data === undefined ? t('list.loading') : t(`password.${data.kind}`)}
      member={member}
      failure={failure}
      onDecided={decided}
      actions={[
        isOpen &&
          may('password-requests.approve') && {
            key: 'a',
            label: 'request.approve',
            done: 'request.approved',
            main: true,
            summary: facts,
            run: () => call(requests.approve, { params }),
          },
        isOpen &&
          may('password-requests.reject') && {
            key: 'r',
            label: 'request.reject',
            done: 'request.rejected',
            needs: { kind: 'reason', topic: 'password-requests' },
            run: (reason) => call(requests.reject, { params, body: { reason } }),
          },
      ]}
    >
      {link !== null && <LinkNote text={t('password.link')} link={link} onClose={onDecided} />}
      {facts}
      <p>{t('password.check')}</p>
    </RequestFrame>
  )
}
