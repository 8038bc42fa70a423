import { requestState } from '../../data/requestState.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { When } from '../../ui/When.tsx'
import { aloneFacts } from './aloneFacts.tsx'
import { decisionFacts } from './decisionFacts.tsx'
import { MemberFacts } from './MemberFacts.tsx'
import { MemberMarks } from './MemberMarks.tsx'
import { Payee } from './Payee.tsx'
import { proposedFacts } from './proposedFacts.tsx'
import type { FactsRead } from './useMemberFacts.ts'
import type { Withdrawal } from './shownRequests.ts'

type WithdrawalFactsProps = {
  withdrawal: Withdrawal
  currency: string | undefined
  read: FactsRead
}

/** What is asked for, where it goes, who decided, and whose withdrawal it is. */
export function WithdrawalFacts({ withdrawal: data, currency, read }: WithdrawalFactsProps) {
  const t = useTexts()
  const may = useMay()
  const isApproved = data.approvedAt !== null && data.status === 'under_review'
  return (
    <>
      <MemberMarks facts={read.facts} />
      <Payee withdrawal={data} />
      <Facts
        items={[
          { label: t('column.amount'), value: <Money value={data.amount} currency={currency} /> },
          ...decisionFacts(t, { ...data, status: requestState(data) }),
          ...proposedFacts(t, data.proposal ?? data.confirmed),
          ...(may('withdrawals.approve') && data.status === 'under_review' && !isApproved
            ? aloneFacts(t, data.alone)
            : []),
          data.approvedAt !== null && {
            label: t('withdrawal.approvedAt'),
            value: <When at={data.approvedAt} />,
          },
          data.approvedBy !== null && { label: t('withdrawal.approvedBy'), value: data.approvedBy },
          data.reference !== null && { label: t('withdrawal.reference'), value: data.reference },
        ]}
      />
      <MemberFacts read={read} requestId={data.id} withoutName />
    </>
  )
}
