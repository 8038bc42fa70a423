import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { call } from '../../api.ts'
import { useDesk } from '../../data/useDesk.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { Photo } from '../../ui/Photo.tsx'
import { decisionFacts } from './decisionFacts.tsx'
import type { RequestProps } from './RequestDetail.tsx'
import { RequestFrame } from './RequestFrame.tsx'
import { useMemberOf } from './useMemberOf.ts'

const { deposits } = backOfficeRoutes

/** A deposit: whether the money has arrived. The amount cannot be changed. */
export function DepositRequest({ id, ...props }: RequestProps) {
  const t = useTexts()
  const may = useMay()
  const { data, failure } = useDesk(deposits.show, { params: { id } })
  const member = useMemberOf('deposits', data)
  const isOpen = data?.status === 'under_review'
  const params = { id }
  const money = data !== undefined && [
    { label: t('column.amount'), value: <Money value={data.amount} /> },
    { label: t('deposit.method'), value: data.methodId },
  ]
  return (
    <RequestFrame
      {...props}
      queue="deposits"
      id={id}
      title={data?.no ?? t('list.loading')}
      member={member}
      failure={failure}
      actions={[
        isOpen &&
          may('deposits.approve') && {
            key: 'a',
            label: 'request.credit',
            done: 'request.credited',
            main: true,
            summary: (
              <Facts items={[{ label: t('column.account'), value: member?.account }, ...(money || [])]} />
            ),
            run: () => call(deposits.approve, { params }),
          },
        isOpen &&
          may('deposits.reject') && {
            key: 'r',
            label: 'request.reject',
            done: 'request.rejected',
            needs: { kind: 'reason', topic: 'deposits' },
            run: (reason) => call(deposits.reject, { params, body: { reason } }),
          },
      ]}
    >
      {data !== undefined && (
        <>
          <Facts items={[...(money || []), ...decisionFacts(t, data)]} />
          {data.proofUploadId === null ? (
            <p>{t('deposit.noProof')}</p>
          ) : (
            <Photo uploadId={data.proofUploadId} label={t('deposit.proof')} />
          )}
        </>
      )}
    </RequestFrame>
  )
}
