import type { ReactNode } from 'react'
import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Money } from '../../ui/Money.tsx'
import { ReviewStatus } from '../../ui/ReviewStatus.tsx'
import { Warnings } from '../../ui/Warnings.tsx'
import { MemberMarks } from './MemberMarks.tsx'
import { useDangers } from './useDangers.ts'
import styles from './ThreadMember.module.css'
import type { FactsRead } from './useMemberFacts.ts'

/** A conversation, and beside it who writes and what the answer may be about. */
export function ThreadMember({ read, children }: { read: FactsRead; children: ReactNode }) {
  const t = useTexts()
  return (
    <div className={styles.chat}>
      <section className={styles.member} aria-label={t('facts.title')}>
        {read.facts === undefined ? <FailureLine failure={read.failure} /> : <Member facts={read.facts} />}
      </section>
      {children}
    </div>
  )
}

function Member({ facts }: { facts: MemberFacts }) {
  const t = useTexts()
  const { ofMember } = useDangers()
  const { id, closedAt, verifiedName, verification, assets, waiting } = facts
  const state = closedAt === null ? [] : [t('member.marks.closed')]
  const shown: readonly [string, ReactNode][] = [
    [t('member.name'), [verifiedName, ' ', <ReviewStatus key="status" status={verification} />]],
    [t('assets.total'), <Money key="total" value={assets.total} />],
    [t('assets.available'), <Money key="available" value={assets.available} />],
    [t('facts.waiting'), <Waiting key="waiting" items={waiting} />],
  ]
  return (
    <>
      <Warnings texts={[...state, ...ofMember(facts)]} />
      <dl className={styles.facts}>
        {shown.map(([label, value]) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <MemberMarks facts={facts} />
      <TextLink href={hrefTo(`/members/${id}`)}>{t('facts.record')}</TextLink>
    </>
  )
}

/** Each by its number or queue, with the way to it if the role may see it. */
function Waiting({ items }: { items: MemberFacts['waiting'] }) {
  const t = useTexts()
  const may = useMay()
  if (items.length === 0) return <>{t('facts.none')}</>
  return (
    <>
      {items.map(({ queue, id, no }) => {
        const call = queue === 'payments' ? 'withdrawals.show' : `${queue}.show`
        const text = [t(`queue.${queue}.title`), no].filter(Boolean).join(' · ')
        return (
          <span key={`${queue} ${id}`}>
            {may(call) ? <TextLink href={hrefTo(`/${queue}/${id}`)}>{text}</TextLink> : text}{' '}
          </span>
        )
      })}
    </>
  )
}
