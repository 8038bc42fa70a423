import { officeRoutes } from '../../../contract/office/routes.ts'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Warnings } from '../../ui/Warnings.tsx'
import type { RequestProps } from './requestProps.ts'
import { RequestLayout } from './RequestLayout.tsx'
import { useMemberOf } from './useMemberOf.ts'
import { useVerificationView } from './useVerificationView.tsx'

const { verifications } = officeRoutes

/** A real-name verification: whether name and number are those of the document in the photos. */
export function VerificationRequest({ id, ...props }: RequestProps) {
  const t = useTexts()
  const may = useMay()
  const { data, failure, person, body, summary, danger, closed } = useVerificationView(id)
  const member = useMemberOf('verifications', id, data, person)
  const isOpen = data?.status === 'under_review'
  const params = { id }
  return (
    <RequestLayout
      {...props}
      queue="verifications"
      id={id}
      title={data?.name ?? t('list.loading')}
      member={member}
      failure={failure}
      actions={[
        isOpen &&
          may('verifications.approve') && {
            key: 'a',
            label: 'request.verify',
            done: 'request.verified',
            main: true,
            isFinal: 'request.verifiedLater',
            closed: closed.accept,
            danger,
            summary,
            run: () => call(verifications.approve, { params }),
          },
        isOpen &&
          may('verifications.reject') && {
            key: 'r',
            label: 'request.reject',
            done: 'request.rejected',
            harm: true,
            isFinal: true,
            closed: closed.reject,
            needs: { kind: 'reason', topic: 'verifications' },
            run: (reason) => call(verifications.reject, { params, body: { reason } }),
          },
      ]}
    >
      <Warnings texts={danger?.warnings ?? []} />
      {body}
    </RequestLayout>
  )
}
