import { officeRoutes } from '../../../contract/office/routes.ts'
import { withNote } from '../../actions/action.ts'
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
  const { data, failure, body, summary, danger, closed } = view
  const member = useMemberOf('deposits', id, data, view.person)
  const isOpen = data?.status === 'under_review'
  // Credited, and its proposal was declined or ran out: it must be proposed again.
  const isLeft = data?.awaitsSecondPerson === true && data.proposal === null
  const again = data?.takesTwo === true ? 'request.propose' : 'request.approve'
  const params = { id }
  const confirm = may('deposits.approve') && (() => call(deposits.approve, { params, body: {} }))
  const second = useProposalActs(data?.proposal ?? null, view, confirm)
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
          may('deposits.approve') && {
            key: 'a',
            // The first approval of two credits it.
            label: isLeft ? again : 'request.credit',
            done: isLeft ? 'request.approved' : 'request.credited',
            ...(!isLeft && { proposed: 'deposit.wasCreditedFirst' }),
            main: true,
            ...(data?.takesTwo !== true && { isFinal: true }),
            closed: closed.accept,
            danger,
            summary,
            forSecond: data?.takesTwo === true,
            run: (_, note) => call(deposits.approve, { params, body: withNote(note) }),
          },
        (isOpen || isLeft) &&
          may('deposits.reject') && {
            key: 'r',
            label: 'request.reject',
            done: 'request.rejected',
            harm: true,
            ...(isOpen && { isFinal: true }),
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
