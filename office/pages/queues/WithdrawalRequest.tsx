import { officeRoutes } from '../../../contract/office/routes.ts'
import { withNote, type Action } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Warnings } from '../../ui/Warnings.tsx'
import type { RequestProps } from './requestProps.ts'
import { ProposalNote } from './ProposalNote.tsx'
import { RequestLayout } from './RequestLayout.tsx'
import type { RequestView } from './requestView.ts'
import type { Withdrawal } from './shownRequests.ts'
import { useMemberOf } from './useMemberOf.ts'
import { useProposalActs } from './useProposalActs.ts'
import { useWithdrawalView } from './useWithdrawalView.tsx'

const { withdrawals } = officeRoutes

/** The longest reference that banks give. */
const referenceMax = 60

/** A withdrawal: approved by one person or two, then paid outside and closed with the bank's reference. */
export function WithdrawalRequest(props: RequestProps & { queue: 'withdrawals' | 'payments' }) {
  const { id, queue } = props
  const t = useTexts()
  const view = useWithdrawalView(id)
  const { data, failure } = view
  const member = useMemberOf(queue, id, data, view.person)
  const actions = useActions(view)
  return (
    <RequestLayout
      {...props}
      title={data?.no ?? t('list.loading')}
      member={member}
      subject={data}
      failure={failure}
      actions={actions}
    >
      <ProposalNote proposal={data?.proposal} />
      <Warnings texts={view.danger?.warnings ?? []} />
      {view.body}
    </RequestLayout>
  )
}

function useActions(view: RequestView<Withdrawal>): (Action | false)[] {
  const { data, danger, closed, summary } = view
  const t = useTexts()
  const may = useMay()
  const params = { id: data?.id ?? '' }
  const confirm = may('withdrawals.approve') && (() => call(withdrawals.approve, { params, body: {} }))
  const second = useProposalActs(data?.proposal ?? null, view, confirm)
  if (data?.status !== 'under_review' || second.length > 0) return second
  const isApproved = data.approvedAt !== null
  const care = { main: true, closed: closed.accept, danger, summary }
  return [
    !isApproved &&
      may('withdrawals.approve') && {
        key: 'a',
        label: data.takesTwo ? 'request.propose' : 'request.approve',
        done: 'request.approved',
        ...care,
        ...(data.takesTwo ? { forSecond: true } : { isFinal: 'request.approvedLater' }),
        run: (_, note) => call(withdrawals.approve, { params, body: withNote(note) }),
      },
    isApproved &&
      may('withdrawals.pay') && {
        key: 'p',
        label: 'request.paid',
        done: 'request.wasPaid',
        ...care,
        isFinal: true,
        needs: {
          kind: 'text',
          field: 'withdrawal.reference',
          hint: 'withdrawal.referenceHint',
          maxLength: referenceMax,
        },
        insist: (failure) =>
          failure.kind === 'rejected' && failure.code === 'REFERENCE_USED'
            ? t('withdrawal.sharedTransfer', { no: String(failure.params['no']) })
            : undefined,
        run: (reference, _, sharedTransfer) =>
          call(withdrawals.pay, { params, body: { reference, ...(sharedTransfer && { sharedTransfer }) } }),
      },
    may('withdrawals.reject') && {
      key: 'r',
      label: 'request.reject',
      done: 'request.rejected',
      harm: true,
      // An approved one may take two: then a second person decides.
      ...((!isApproved || (!data.takesTwo && data.confirmed === null)) && { isFinal: true }),
      closed: closed.reject,
      // No bank returns what was not paid yet.
      needs: { kind: 'reason', topic: 'withdrawals', ...(!isApproved && { without: 'bankReturned' }) },
      run: (reason) => call(withdrawals.reject, { params, body: { reason } }),
    },
  ]
}
