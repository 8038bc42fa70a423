import { officeRoutes } from '../../../contract/office/routes.ts'
import { withNote } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Warnings } from '../../ui/Warnings.tsx'
import type { RequestProps } from './requestProps.ts'
import { RequestLayout } from './RequestLayout.tsx'
import { useDepositView } from './useDepositView.tsx'
import { useMemberOf } from './useMemberOf.ts'

const { deposits } = officeRoutes

/** A deposit: whether the money has arrived, said by one person or two. The amount cannot be changed. */
export function DepositRequest({ id, ...props }: RequestProps) {
  const t = useTexts()
  const may = useMay()
  const { data, failure, body, summary, danger, closed } = useDepositView(id)
  const member = useMemberOf('deposits', id, data)
  const isOpen = data?.status === 'under_review'
  const awaits = data?.awaitsSecondPerson === true
  const params = { id }
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
        (isOpen || awaits) &&
          may('deposits.approve') && {
            key: 'a',
            label: awaits ? 'request.confirm' : 'request.credit',
            done: awaits ? 'request.confirmed' : 'request.credited',
            main: true,
            isFinal: true,
            closed: closed.accept,
            danger,
            summary,
            forSecond: data?.takesTwo === true && !awaits,
            run: (_, note) => call(deposits.approve, { params, body: withNote(note) }),
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
      <Warnings texts={danger?.warnings ?? []} />
      {body}
    </RequestLayout>
  )
}
