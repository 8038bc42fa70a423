import { selfLimitFields } from '../../../contract/selfLimits.ts'
import { noValue } from '../../../src/text/format.ts'
import { languageNames } from '../../../src/text/languageNames.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Block } from '../../ui/Block.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { ReviewStatus } from '../../ui/ReviewStatus.tsx'
import { When } from '../../ui/When.tsx'
import { Identity } from './Identity.tsx'
import type { MemberView } from './memberView.ts'

/** Who the member is and what is in the account. Nothing here can be written. */
export function Overview({ member }: { member: MemberView }) {
  const t = useTexts()
  const may = useMay()
  const { assets } = member
  return (
    <>
      <Block title={t('member.person')}>
        <Facts
          items={[
            { label: t('column.account'), value: member.account },
            { label: t('member.name'), value: member.name ?? noValue },
            member.nickname !== member.account && { label: t('member.nickname'), value: member.nickname },
            { label: t('member.phone'), value: member.phone ?? noValue },
            { label: t('member.email'), value: member.contactEmail ?? noValue },
            { label: t('member.verification'), value: <ReviewStatus status={member.verification} /> },
            {
              label: t('member.payout'),
              value: t(member.hasWithdrawalAccount ? 'member.bound' : 'member.notBound'),
            },
            { label: t('member.createdAt'), value: <When at={member.createdAt} /> },
            ...(member.closedAt === null
              ? []
              : [{ label: t('member.closedAt'), value: <When at={member.closedAt} /> }]),
            { label: t('member.openedWith'), value: member.openedWith },
            {
              label: t('account.language'),
              value: member.language === null ? t('member.noLanguage') : languageNames[member.language].own,
            },
            { label: t('member.level'), value: member.level },
            { label: t('member.credit'), value: member.creditScore },
          ]}
        />
      </Block>
      {may('members.identity') && <Identity memberId={member.id} />}
      <Block title={t('member.assets')}>
        <Facts
          items={(
            ['total', 'available', 'held', 'openStakes', 'fund', 'accountPnl', 'todayPnl'] as const
          ).map((name) => ({
            label: t(`assets.${name}`),
            value: <Money value={assets[name]} signed={name === 'accountPnl' || name === 'todayPnl'} />,
          }))}
        />
      </Block>
      <OwnLimits limits={member.limits} />
    </>
  )
}

/** The limits that the member set, and pending ones. Only the member can set them. */
function OwnLimits({ limits: { active, pending } }: Pick<MemberView, 'limits'>) {
  const t = useTexts()
  const shown = (value: string | number | null) => {
    if (value === null) return t('member.noLimit')
    return typeof value === 'number' ? <When at={value} /> : <Money value={value} />
  }
  return (
    <Block title={t('member.ownLimits')}>
      <Facts
        items={selfLimitFields.map((field) => {
          const next = pending.find((change) => change.field === field)
          return {
            label: t(`member.${field}`),
            value: (
              <>
                {shown(active[field])}
                {next !== undefined && (
                  <div>
                    {shown(next.value)} ({t('member.pendingFrom')} <When at={next.effectiveAt} />)
                  </div>
                )}
              </>
            ),
          }
        })}
      />
    </Block>
  )
}
