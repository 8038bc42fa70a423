import { officeRoutes } from '../../../contract/office/routes.ts'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Warnings } from '../../ui/Warnings.tsx'
import type { RequestProps } from './requestProps.ts'
import { ProposalNote } from './ProposalNote.tsx'
import { RequestLayout } from './RequestLayout.tsx'
import { useDepositView } from './useDepositView.tsx'
import { useMemberOf } from './useMemberOf.ts'
import { useProposalActs } from './useProposalActs.ts'

const { deposits } = officeRoutes

/** A deposit: whether the money has arrived, said by one person or two. The amount cannot be changed. */
export function DepositRequest({ id, ...props }: RequestProps) {
  const t = useTexts()
  const may = useMay()
  const view = useDepositView(id)
  const { data, failure, body, summary, danger, closed, takesTwo } = view
  const member = useMemberOf('deposits', id, data)
  const isOpen = data?.status === 'under_review'
  // Credited, and its proposal was declined or ran out: somebody proposes it again.
  const isLeft = data?.awaitsSecondPerson === true && data.proposal === null
  const params = { id }
  const approve = may('deposits.approve') && (() => call(deposits.approve, { params }))
  const second = useProposalActs(data?.proposal ?? null, view, approve)
  return (
    <RequestLayout
      {...props}
      queue="deposits"
      id={id}
      title={data?.no ?? t('list.loading')}
      member={member}
      subject={data}
      failure={failure}
      actions={[
        ...second,
        (isOpen || isLeft) &&
          approve && {
            key: 'a',
            label: isLeft ? 'request.approve' : 'request.credit',
            done: isLeft ? 'request.approved' : 'request.credited',
            main: true,
            ...(!takesTwo && { isFinal: true }),
            closed: closed.accept,
            danger,
            summary,
            run: approve,
          },
        isOpen &&
          may('deposits.reject') && {
            key: 'r',
            label: 'request.reject',
            done: 'request.rejected',
            harm: true,
            isFinal: true,
            closed: closed.reject,
            needs: { kind: 'reason', topic: 'deposits' },
            run: (reason) => call(deposits.reject, { params, body: { reason } }),
          },
      ]}
    >
      <ProposalNote proposal={data?.proposal} />
      <Warnings texts={danger?.warnings ?? []} />
      {body}
    </RequestLayout>
  )
}
