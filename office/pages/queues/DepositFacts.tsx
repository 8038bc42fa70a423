import { hrefTo } from '../../../src/router/hashLocation.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Facts, type Fact } from '../../ui/Facts.tsx'
import { Photo } from '../../ui/Photo.tsx'
import type { Seen } from '../../ui/useSight.ts'
import { Money } from '../../ui/Money.tsx'
import { When } from '../../ui/When.tsx'
import { aloneFacts } from './aloneFacts.tsx'
import { decisionFacts } from './decisionFacts.tsx'
import { MemberFacts } from './MemberFacts.tsx'
import { MemberMarks } from './MemberMarks.tsx'
import { proposedFacts } from './proposedFacts.tsx'
import type { Deposit } from './shownRequests.ts'
import type { FactsRead } from './useMemberFacts.ts'

type DepositFactsProps = {
  deposit: Deposit
  asked: readonly (Fact | false)[]
  read: FactsRead
  onSeen: (uploadId: string, seen: Seen) => void
}

/** What is asked for, who decided, whether the proof was seen before, and whose deposit it is. */
export function DepositFacts({ deposit: data, asked, read, onSeen }: DepositFactsProps) {
  const t = useTexts()
  const may = useMay()
  const lastDeclined = data.declined.find(({ act }) => act === 'deposits.approve')
  return (
    <>
      <MemberMarks facts={read.facts} />
      {data.awaitsSecondPerson && (
        <Badge kind="warn" isSentence>
          {lastDeclined === undefined || data.proposal !== null
            ? t('deposit.awaits')
            : t('deposit.declined', { by: lastDeclined.decidedBy ?? '', reason: lastDeclined.reason ?? '' })}
        </Badge>
      )}
      <Facts
        items={[
          ...asked,
          ...decisionFacts(t, data),
          ...proposedFacts(t, data.proposal ?? data.confirmed),
          data.confirmedAt !== null && {
            label: t('deposit.confirmedAt'),
            value: <When at={data.confirmedAt} />,
          },
          ...(may('deposits.approve') && data.status === 'under_review' ? aloneFacts(t, data.alone) : []),
          data.reversed !== null && {
            label: t('deposit.reversed'),
            value: <Money value={data.reversed} />,
          },
          data.confirmedBy !== null && { label: t('deposit.confirmedBy'), value: data.confirmedBy },
        ]}
      />
      {data.sameProof.length > 0 && (
        <p>
          <Badge kind="danger">{t('deposit.sameProof')}</Badge>{' '}
          {data.sameProof.map(({ id: other, no }) => (
            <TextLink key={other} href={hrefTo(`/deposits/${other}`)}>
              {no}{' '}
            </TextLink>
          ))}
        </p>
      )}
      {data.proofUploadId !== null && (
        <Photo uploadId={data.proofUploadId} label={t('deposit.proof')} onSeen={onSeen} />
      )}
      <MemberFacts read={read} requestId={data.id} withoutName />
    </>
  )
}
