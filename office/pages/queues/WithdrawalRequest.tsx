import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import type { Action } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useDesk } from '../../data/useDesk.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { When } from '../../ui/When.tsx'
import { decisionFacts } from './decisionFacts.tsx'
import { Payee } from './Payee.tsx'
import { proposedFacts } from './proposedFacts.tsx'
import type { RequestProps } from './RequestDetail.tsx'
import { RequestFrame } from './RequestFrame.tsx'
import { useMemberOf } from './useMemberOf.ts'

const { withdrawals } = backOfficeRoutes
type Withdrawal = RouteAnswer<typeof withdrawals.show>

/** The longest reference that banks give. */
const referenceMax = 60

/** A withdrawal: approved by one person or two, then paid outside and closed with the bank's reference. */
export function WithdrawalRequest(props: RequestProps & { queue: 'withdrawals' | 'payments' }) {
  const { id, queue } = props
  const t = useTexts()
  const { data, failure } = useDesk(withdrawals.show, { params: { id } })
  const member = useMemberOf(queue, data)
  const actions = useActions(data)
  return (
    <RequestFrame
      {...props}
      title={data?.no ?? t('list.loading')}
      member={member}
      failure={failure}
      actions={actions}
    >
      {data !== undefined && (
        <>
          <Facts
            items={[
              { label: t('column.amount'), value: <Money value={data.amount} /> },
              ...decisionFacts(t, data),
              ...proposedFacts(t, data.proposal),
              data.approvedAt !== null && {
                label: t('withdrawal.approvedAt'),
                value: <When at={data.approvedAt} />,
              },
              data.approvedBy !== null && { label: t('withdrawal.approvedBy'), value: data.approvedBy },
              data.reference !== null && { label: t('withdrawal.reference'), value: data.reference },
            ]}
          />
          <Payee withdrawal={data} />
        </>
      )}
    </RequestFrame>
  )
}

function useActions(data: Withdrawal | undefined): (Action | false)[] {
  const t = useTexts()
  const may = useMay()
  if (data?.status !== 'under_review') return []
  const params = { id: data.id }
  const isApproved = data.approvedAt !== null
  const summary = (
    <Facts
      items={[
        { label: t('column.amount'), value: <Money value={data.amount} /> },
        { label: t('withdrawal.payee'), value: data.payTo.accountName },
        { label: t('withdrawal.verifiedName'), value: data.verifiedName ?? t('withdrawal.notVerified') },
      ]}
    />
  )
  return [
    !isApproved &&
      may('withdrawals.approve') && {
        key: 'a',
        label: 'request.approve',
        done: 'request.approved',
        main: true,
        summary,
        run: () => call(withdrawals.approve, { params }),
      },
    isApproved &&
      may('withdrawals.pay') && {
        key: 'p',
        label: 'request.paid',
        done: 'request.wasPaid',
        main: true,
        summary,
        needs: {
          kind: 'text',
          field: 'withdrawal.reference',
          hint: 'withdrawal.referenceHint',
          maxLength: referenceMax,
        },
        run: (reference) => call(withdrawals.pay, { params, body: { reference } }),
      },
    may('withdrawals.reject') && {
      key: 'r',
      label: 'request.reject',
      done: 'request.rejected',
      needs: { kind: 'reason', topic: 'withdrawals' },
      run: (reason) => call(withdrawals.reject, { params, body: { reason } }),
    },
  ]
}
