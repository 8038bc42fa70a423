import type { MemberFacts as Read, SecurityChange } from '../../../contract/office/memberFacts.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import { ageText } from '../../data/age.ts'
import { useVenueNow } from '../../data/venueClock.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { otherName } from './otherName.ts'
import { ActName } from '../../ui/ActName.tsx'
import { Facts, type Fact } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Money } from '../../ui/Money.tsx'
import { ReviewStatus } from '../../ui/ReviewStatus.tsx'
import { When } from '../../ui/When.tsx'
import styles from './MemberFacts.module.css'
import type { FactsRead } from './useMemberFacts.ts'

type MemberFactsProps = {
  read: FactsRead
  /** The request beside them, which is not listed again. */
  requestId: string
  /** For a request that a call to the member decides. */
  withPhone?: boolean
  /** For a request that shows the verified name itself, beside what it is compared with. */
  withoutName?: boolean
}

/** What decides a request besides what it asks for: who the member is, the money, what changed and what is alike. */
export function MemberFacts({ read, requestId, withPhone = false, withoutName = false }: MemberFactsProps) {
  const t = useTexts()
  const { facts, failure } = read
  if (facts === undefined) return <FailureLine failure={failure} />
  return (
    <section className={styles.member} aria-label={t('facts.title')}>
      <h3 className={styles.title}>{t('facts.title')}</h3>
      <Facts
        items={[
          !withoutName && nameFact(t, facts),
          ...personFacts(t, facts, withPhone),
          ...moneyFacts(t, facts),
        ]}
      />
      <Facts items={[...changeFacts(t, facts), ...pauseFacts(t, facts), ...alikeFacts(t, facts)]} />
      <Recent facts={facts} requestId={requestId} />
    </section>
  )
}

const nameFact = (t: Texts, { verifiedName }: Read): Fact => ({
  label: t('withdrawal.verifiedName'),
  value: verifiedName ?? t('withdrawal.notVerified'),
})

const personFacts = (t: Texts, facts: Read, withPhone: boolean): (Fact | false)[] => [
  withPhone && { label: t('member.phone'), value: facts.phone ?? t('facts.none') },
  { label: t('member.createdAt'), value: <Ago at={facts.createdAt} /> },
  facts.closedAt !== null && { label: t('member.closedAt'), value: <Ago at={facts.closedAt} /> },
]

const sums = ['deposited', 'awaiting', 'withdrawn', 'owed'] as const
const moneyFacts = (t: Texts, facts: Read): Fact[] => [
  { label: t('assets.total'), value: <Money value={facts.assets.total} /> },
  { label: t('assets.available'), value: <Money value={facts.assets.available} /> },
  ...sums
    .filter((name) => name !== 'awaiting' || facts.awaiting.count > 0)
    .map((name) => ({
      label: t(`facts.${name}`),
      value: (
        <>
          <Money value={facts[name].amount} /> {t('facts.times', { count: facts[name].count })}
        </>
      ),
    })),
  {
    label: t('facts.lastPaid'),
    value: facts.lastPaidAt === null ? t('facts.neverPaid') : <Ago at={facts.lastPaidAt} />,
  },
]

/** Those that are said even if they never happened. */
const asked: readonly SecurityChange[] = [
  'login_password',
  'transaction_password',
  'second_factor',
  'withdrawal_account',
]

function changeFacts(t: Texts, { changes, boundAt }: Read): (Fact | false)[] {
  const never = asked.filter((what) => changes.every((change) => change.what !== what))
  return [
    ...changes.map(({ what, at }) => ({ label: t(`change.${what}`), value: <Ago at={at} /> })),
    ...never.map((what) => ({ label: t(`change.${what}`), value: t('facts.never') })),
    boundAt !== null && { label: t('facts.bound'), value: <Ago at={boundAt} /> },
  ]
}

function pauseFacts(t: Texts, { frozen, proposals, restsUntil, excludedUntil }: Read): Fact[] {
  const pauses = [
    ...proposals.map(({ act, proposedBy }) => ({
      label: t('facts.proposed', { by: proposedBy }),
      value: <ActName act={act} />,
    })),
    frozen !== null && { label: t('member.frozenUntil'), value: <When at={frozen.until} /> },
    restsUntil !== null && { label: t('facts.restsUntil'), value: <When at={restsUntil} /> },
    excludedUntil !== null && { label: t('facts.excludedUntil'), value: <When at={excludedUntil} /> },
  ].filter((fact) => fact !== false)
  return pauses.length > 0 ? pauses : [{ label: t('facts.pauses'), value: t('facts.none') }]
}

const alikeFacts = (t: Texts, { sameCard, sameDevice }: Read): Fact[] => [
  { label: t('facts.sameCard'), value: <Others members={sameCard} /> },
  { label: t('facts.sameDevice'), value: <Others members={sameDevice} /> },
]

/** An instant and how long ago it was. */
function Ago({ at }: { at: number }) {
  const t = useTexts()
  const now = useVenueNow()
  return (
    <>
      {t('facts.ago', { age: ageText(t, now - at) })} <When at={at} />
    </>
  )
}

/** Other members with the same, each with the way to the record. */
export function Others({ members }: { members: Read['sameCard'] }) {
  const t = useTexts()
  if (members.length === 0) return <>{t('facts.none')}</>
  return (
    <>
      {members.map((other) => (
        <TextLink key={other.id} href={hrefTo(`/members/${other.id}`)}>
          {otherName(other)}{' '}
        </TextLink>
      ))}
    </>
  )
}

/** The member's other requests, newest first. */
function Recent({ facts, requestId }: { facts: Read; requestId: string }) {
  const t = useTexts()
  const may = useMay()
  const others = facts.recent.filter(({ id }) => id !== requestId)
  if (others.length === 0) return <p>{t('facts.noOthers')}</p>
  return (
    <ul className={styles.recent} aria-label={t('facts.recent')}>
      {others.map(({ kind, id, no, amount, status, createdAt }) => (
        <li key={id} className={styles.row}>
          <Badge>{t(`search.kind.${kind}`)}</Badge>
          {may(`${kind}s.show`) ? <TextLink href={hrefTo(`/${kind}s/${id}`)}>{no}</TextLink> : no}
          <span className={styles.amount}>
            <Money value={amount} />
          </span>
          <ReviewStatus status={status} />
          <When at={createdAt} />
        </li>
      ))}
    </ul>
  )
}
