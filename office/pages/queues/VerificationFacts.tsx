import type { ReactNode } from 'react'
import { useTexts } from '../../i18n.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Photo } from '../../ui/Photo.tsx'
import type { Seen } from '../../ui/useSight.ts'
import { decisionFacts } from './decisionFacts.tsx'
import { MemberFacts, Others } from './MemberFacts.tsx'
import { MemberMarks } from './MemberMarks.tsx'
import type { FactsRead } from './useMemberFacts.ts'
import type { Verification } from './shownRequests.ts'
import styles from './VerificationFacts.module.css'

type VerificationFactsProps = {
  verification: Verification
  names: ReactNode
  read: FactsRead
  onSeen: (uploadId: string, seen: Seen) => void
}

/** Name and number beside the photos of the document, and whose they are. */
export function VerificationFacts(props: VerificationFactsProps) {
  const { verification: data, names, read, onSeen } = props
  const t = useTexts()
  return (
    <>
      <MemberMarks facts={read.facts} />
      {names}
      {data.photosRemovedAt === null ? (
        <div className={styles.photos}>
          <Photo uploadId={data.frontUploadId} label={t('verification.front')} onSeen={onSeen} />
          <Photo uploadId={data.backUploadId} label={t('verification.back')} onSeen={onSeen} />
        </div>
      ) : (
        <p>{t('verification.removed')}</p>
      )}
      <Facts
        items={[
          ...decisionFacts(t, { ...data, createdAt: data.submittedAt }),
          { label: t('facts.sameNumber'), value: <Others members={data.sameNumber} /> },
        ]}
      />
      <MemberFacts read={read} requestId={data.id} />
    </>
  )
}
