import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Facts } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Money } from '../../ui/Money.tsx'
import { ReviewStatus } from '../../ui/ReviewStatus.tsx'
import { Warnings } from '../../ui/Warnings.tsx'
import { MemberMarks } from './MemberMarks.tsx'
import { useDangers } from './useDangers.ts'
import type { FactsRead } from './useMemberFacts.ts'

/** Who writes, and what the answer may be about: what stands beside a conversation. */
export function ThreadMember({ read: { facts, failure } }: { read: FactsRead }) {
  const t = useTexts()
  const { ofMember } = useDangers()
  if (facts === undefined) return <FailureLine failure={failure} />
  const { id, account, closedAt, verifiedName, verification, assets } = facts
  const state = closedAt === null ? [] : [t('member.marks.closed')]
  return (
    <>
      <Warnings texts={[...state, ...ofMember(facts)]} />
      <Facts
        items={[
          {
            label: t('column.account'),
            value: (
              <>
                {account} <TextLink href={hrefTo(`/members/${id}`)}>{t('facts.record')}</TextLink>
              </>
            ),
          },
          {
            label: t('member.name'),
            value: (
              <>
                {verifiedName} <ReviewStatus status={verification} />
              </>
            ),
          },
          { label: t('assets.total'), value: <Money value={assets.total} /> },
          { label: t('assets.available'), value: <Money value={assets.available} /> },
          { label: t('facts.waiting'), value: <Waiting items={facts.waiting} />, wide: true },
        ]}
      />
      <MemberMarks facts={facts} />
    </>
  )
}

/** Each by its number or queue, with the way to it if the role may see it. */
function Waiting({ items }: { items: MemberFacts['waiting'] }) {
  const t = useTexts()
  const may = useMay()
  if (items.length === 0) return <>{t('facts.none')}</>
  return (
    <ul>
      {items.map(({ queue, id, no }) => {
        const call = queue === 'payments' ? 'withdrawals.show' : `${queue}.show`
        const text = [t(`queue.${queue}.title`), no].filter(Boolean).join(' · ')
        return (
          <li key={`${queue} ${id}`}>
            {may(call) ? <TextLink href={hrefTo(`/${queue}/${id}`)}>{text}</TextLink> : text}
          </li>
        )
      })}
    </ul>
  )
}
