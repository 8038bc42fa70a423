import { officeRoutes } from '../../../contract/office/routes.ts'
import { useCountryName } from '../../data/useCountryName.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Facts } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { payToFacts } from './payToFacts.ts'

/** The withdrawal account that would be removed, for a role that sees payees; each view is recorded. */
export function RemovedAccount({ memberId }: { memberId: string }) {
  const t = useTexts()
  const country = useCountryName()
  const { data, failure } = useOfficeCall(
    officeRoutes.members.identity,
    { params: { id: memberId } },
    { enabled: useMay()('members.identity') },
  )
  return (
    <>
      <FailureLine failure={failure} />
      {data?.payTo && (
        <Facts
          items={[
            { label: t('withdrawal.payee'), value: data.payTo.accountName },
            ...payToFacts(t, country, data.payTo),
          ]}
        />
      )}
    </>
  )
}
