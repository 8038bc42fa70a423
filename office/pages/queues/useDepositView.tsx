import { officeRoutes } from '../../../contract/office/routes.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { Facts, type Fact } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { useSight } from '../../ui/useSight.ts'
import { closedUntilSeen } from './closedUntilSeen.ts'
import { declinedWarnings } from './declinedWarnings.ts'
import { DepositFacts } from './DepositFacts.tsx'
import { MemberMarks } from './MemberMarks.tsx'
import type { RequestView } from './requestView.ts'
import type { Deposit } from './shownRequests.ts'
import { dangerOf, useDangers } from './useDangers.ts'
import { useMemberFacts } from './useMemberFacts.ts'
import { useMethodName } from './useMethodName.ts'

const { deposits } = officeRoutes

/** What decides a deposit. */
export function useDepositView(id: string): RequestView<Deposit> {
  const t = useTexts()
  const { data, failure } = useOfficeCall(deposits.show, { params: { id } }, { alwaysFresh: true })
  const read = useMemberFacts(data?.memberId)
  const dangers = useDangers()
  const methodName = useMethodName()
  const { sight, see } = useSight([data?.proofUploadId ?? null])
  const closed = closedUntilSeen(t, sight, read.isReady)
  const waits = data?.status === 'under_review' || data?.awaitsSecondPerson === true
  // One that is decided keeps what was wrong with its proof in view.
  const warnings =
    data === undefined
      ? []
      : waits
        ? [...dangers.ofDeposit(data, read.facts), ...declinedWarnings(t, data.declined)]
        : dangers.ofProof(data)
  const { verifiedName } = read.facts ?? { verifiedName: null }
  const money: Fact[] =
    data === undefined
      ? []
      : [
          {
            label: t('column.amount'),
            value: <Money value={data.amount} currency={dangers.terms?.currency} />,
          },
          { label: t('deposit.method'), value: methodName(data.methodId) },
        ]
  // Beside the amount, above the receipt: a clerk compares both with it.

  const payer = { label: t('withdrawal.verifiedName'), value: verifiedName ?? t('withdrawal.notVerified') }
  const asked = [...money, read.facts !== undefined && payer]
  return {
    data,
    failure,
    person: read.facts,
    closed,
    danger: data && dangerOf(warnings, data.amount, data.proofUploadId !== null),
    summary: (
      <>
        <MemberMarks facts={read.facts} />
        <Facts items={asked} />
        {data?.takesTwo === true && data.proposal === null && (
          <p>{t(data.awaitsSecondPerson ? 'proposal.follows' : 'deposit.creditedFirst')}</p>
        )}
      </>
    ),
    body: data !== undefined && <DepositFacts deposit={data} asked={asked} read={read} onSeen={see} />,
  }
}
