import { officeRoutes } from '../../../contract/office/routes.ts'
import { useCountryName } from '../../data/useCountryName.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { Facts } from '../../ui/Facts.tsx'
import { useSight } from '../../ui/useSight.ts'
import { closedUntilSeen } from './closedUntilSeen.ts'
import { MemberMarks } from './MemberMarks.tsx'
import type { RequestView } from './requestView.ts'
import type { Verification } from './shownRequests.ts'
import { dangerOfMember, useDangers } from './useDangers.ts'
import { useMemberFacts } from './useMemberFacts.ts'
import { VerificationFacts } from './VerificationFacts.tsx'

const { verifications } = officeRoutes

/** What decides a real-name verification. */
export function useVerificationView(id: string): RequestView<Verification> {
  const t = useTexts()
  const country = useCountryName()
  const { data, failure } = useOfficeCall(verifications.show, { params: { id } }, { alwaysFresh: true })
  const read = useMemberFacts(data?.memberId)
  const dangers = useDangers()
  const { sight, see } = useSight([data?.frontUploadId ?? null, data?.backUploadId ?? null])
  const warnings = data?.status === 'under_review' ? dangers.ofVerification(data, read.facts) : []
  const names = data !== undefined && (
    <Facts
      items={[
        { label: t('verification.name'), value: data.name },
        { label: t('verification.number'), value: data.idNumber },
        { label: t('column.country'), value: country(data.nationality) },
      ]}
    />
  )
  return {
    data,
    failure,
    person: read.facts,
    closed: closedUntilSeen(t, sight, read.isReady),
    danger: dangerOfMember(warnings, read.facts?.account),
    summary: (
      <>
        <MemberMarks facts={read.facts} />
        {names}
      </>
    ),
    body: data !== undefined && (
      <VerificationFacts verification={data} names={names} read={read} onSeen={see} />
    ),
  }
}
