import { officeRoutes } from '../../../contract/office/routes.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { Block } from '../../ui/Block.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Money } from '../../ui/Money.tsx'

const shown = ['total', 'confirmed', 'pending', 'yesterdayEarnings', 'totalEarnings', 'fastLeft'] as const

/** The member's balance fund. */
export function Fund({ memberId }: { memberId: string }) {
  const t = useTexts()
  const { data, failure } = useOfficeCall(officeRoutes.members.fund, { params: { id: memberId } })
  return (
    <Block title={t('member.fund')}>
      <FailureLine failure={failure} />
      {data !== undefined && (
        <Facts
          items={shown.map((name) => ({ label: t(`fund.${name}`), value: <Money value={data[name]} /> }))}
        />
      )}
    </Block>
  )
}
