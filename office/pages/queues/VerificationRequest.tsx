import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { call } from '../../api.ts'
import { useCountryName } from '../../data/useCountryName.ts'
import { useDesk } from '../../data/useDesk.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Photo } from '../../ui/Photo.tsx'
import { decisionFacts } from './decisionFacts.tsx'
import type { RequestProps } from './RequestDetail.tsx'
import { RequestFrame } from './RequestFrame.tsx'
import { useMemberOf } from './useMemberOf.ts'
import styles from './VerificationRequest.module.css'

const { verifications } = backOfficeRoutes

/** A real-name verification: whether name and number are those of the document in the photos. */
export function VerificationRequest({ id, ...props }: RequestProps) {
  const t = useTexts()
  const may = useMay()
  const country = useCountryName()
  const { data, failure } = useDesk(verifications.show, { params: { id } })
  const member = useMemberOf('verifications', data)
  const isOpen = data?.status === 'under_review'
  const params = { id }
  const names = data !== undefined && (
    <Facts
      items={[
        { label: t('verification.name'), value: data.name },
        { label: t('verification.number'), value: data.idNumber },
        { label: t('column.country'), value: country(data.nationality) },
      ]}
    />
  )
  return (
    <RequestFrame
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
            summary: names,
            run: () => call(verifications.approve, { params }),
          },
        isOpen &&
          may('verifications.reject') && {
            key: 'r',
            label: 'request.reject',
            done: 'request.rejected',
            needs: { kind: 'reason', topic: 'verifications' },
            run: (reason) => call(verifications.reject, { params, body: { reason } }),
          },
      ]}
    >
      {data !== undefined && (
        <>
          {names}
          {data.photosRemovedAt === null ? (
            <div className={styles.photos}>
              <Photo uploadId={data.frontUploadId} label={t('verification.front')} />
              <Photo uploadId={data.backUploadId} label={t('verification.back')} />
            </div>
          ) : (
            <p>{t('verification.removed')}</p>
          )}
          <Facts items={decisionFacts(t, { ...data, createdAt: data.submittedAt })} />
        </>
      )}
    </RequestFrame>
  )
}
