import { officeRoutes } from '../../../contract/office/routes.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { closedUntilSeen } from './closedUntilSeen.ts'
import { declinedWarnings } from './declinedWarnings.ts'
import { MemberMarks } from './MemberMarks.tsx'
import type { RequestView } from './requestView.ts'
import type { Withdrawal } from './shownRequests.ts'
import { dangerOf, useDangers } from './useDangers.ts'
import { useMemberFacts } from './useMemberFacts.ts'
import { WithdrawalFacts } from './WithdrawalFacts.tsx'

const { withdrawals } = officeRoutes

/** What decides a withdrawal, and its payment. */
export function useWithdrawalView(id: string): RequestView<Withdrawal> {
  const t = useTexts()
  const { data, failure } = useOfficeCall(withdrawals.show, { params: { id } }, { alwaysFresh: true })
  const read = useMemberFacts(data?.memberId)
  const dangers = useDangers()
  const warnings =
    data?.status === 'under_review'
      ? [...dangers.ofWithdrawal(data, read.facts), ...declinedWarnings(t, data.declined)]
      : []
  const seen = closedUntilSeen(t, 'shown', read.isReady)
  // The venue refuses it: said before the bank's reference is typed.
  const accept = read.facts?.frozen ? t('request.frozen') : seen.accept
  const currency = dangers.terms?.currency
  const isFirst = data?.takesTwo === true && data.approvedAt === null && data.proposal === null
  // A sum above what one person decides is a danger, which says so already.
  const saysTwo = isFirst && data.alone.state !== 'above'
  const summary = data !== undefined && (
    <>
      <MemberMarks facts={read.facts} />
      <Facts
        items={[
          { label: t('column.amount'), value: <Money value={data.amount} currency={currency} /> },
          { label: t('withdrawal.payee'), value: data.payTo.accountName },
          { label: t('withdrawal.verifiedName'), value: data.verifiedName ?? t('withdrawal.notVerified') },
          data.payTo.type === 'bank'
            ? { label: t('withdrawal.card'), value: `${data.payTo.bank} · ${data.payTo.cardNumber}` }
            : { label: t('withdrawal.cryptoAddress'), value: data.payTo.currencyAddress },
        ]}
      />
      {saysTwo && <p>{t('proposal.follows')}</p>}
    </>
  )
  return {
    data,
    failure,
    person: read.facts,
    closed: { accept, reject: undefined },
    danger: data && dangerOf(warnings, data.amount),
    summary,
    body: data !== undefined && <WithdrawalFacts withdrawal={data} currency={currency} read={read} />,
  }
}
