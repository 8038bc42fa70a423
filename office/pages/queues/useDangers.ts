import { moneyOf } from '../../../contract/money.ts'
import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { dayMs } from '../../../contract/time.ts'
import { ageText } from '../../data/age.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useVenueNow } from '../../data/venueClock.ts'
import { useTexts } from '../../i18n.ts'
import { useSession } from '../../state/staff.ts'

const { deposits, limits, verifications, withdrawals } = officeRoutes
type Deposit = Pick<
  RouteAnswer<typeof deposits.show>,
  'amount' | 'proofUploadId' | 'sameProof' | 'inDay' | 'proposal' | 'createdAt'
>
type Withdrawal = Pick<
  RouteAnswer<typeof withdrawals.show>,
  'amount' | 'payTo' | 'verifiedName' | 'nameMatches' | 'approvedAt' | 'createdAt' | 'inDay' | 'proposal'
>
type Verification = Pick<RouteAnswer<typeof verifications.show>, 'sameNumber'>

/** From this part of the amount for two persons on, a sum is near it. */
const nearBy = 0.8
/** For so long before a withdrawal a change counts, if nothing was paid since; a new device, which many have, for less. */
const changeMs = 30 * dayMs
const deviceMs = dayMs

/**
 * What could be wrong with a request, in words, as far as the venue shows it. `isReady` is false until the amount for two
 * persons was asked for; if it cannot be read, nothing is said about it, and the venue applies it all the same.
 */
export function useDangers() {
  const t = useTexts()
  const format = useOfficeFormat()
  const now = useVenueNow()
  const me = useSession().staff.name
  const { data, isLoading } = useOfficeCall(limits.show, {}, { alwaysFresh: true })
  const ofSum = ({ amount, inDay, proposal }: Pick<Deposit, 'amount' | 'inDay' | 'proposal'>): string[] => {
    if (data === undefined) return []
    const { twoPersonsAbove } = data.withdrawals
    const [sum, limit] = [moneyOf(amount), moneyOf(twoPersonsAbove)]
    const values = { amount: format.money(amount, 'never'), limit: format.money(twoPersonsAbove, 'never') }
    if (sum > limit) {
      const name = proposal?.proposedBy
      const isSecond = name !== undefined && name !== me
      return [isSecond ? t('danger.aboveForSecond', { ...values, name }) : t('danger.aboveLimit', values)]
    }
    if (sum >= limit * nearBy) return [t('danger.nearLimit', values)]
    if (inDay.count < 2 || moneyOf(inDay.amount) < limit * nearBy) return []
    const { count } = inDay
    return [t('danger.inDay', { ...values, count, amount: format.money(inDay.amount, 'never') })]
  }
  const ofChanges = ({ createdAt }: Withdrawal, facts: MemberFacts): string[] =>
    facts.changes
      .filter(({ what, at }) => {
        const isRecent = at > createdAt - (what === 'new_device' ? deviceMs : changeMs)
        return isRecent && at > (facts.lastPaidAt ?? 0)
      })
      .map(({ what, at }) => t('danger.changed', { what: t(`change.${what}`), age: ageText(t, now - at) }))
  const ofSameProof = (own: Pick<Deposit, 'createdAt'>, other: Deposit['sameProof'][number]): string => {
    const laterMs = other.createdAt - own.createdAt
    return t(laterMs < 0 ? 'danger.sameProofBefore' : 'danger.sameProofAfter', {
      account: other.account,
      age: ageText(t, Math.abs(laterMs)),
      no: other.no,
      status: t(`status.${other.status}`),
    })
  }
  const accounts = (members: MemberFacts['sameCard']) => members.map(({ account }) => account).join(', ')
  return {
    isReady: !isLoading,
    /** What is deposited and withdrawn, and how the ways to deposit are called. */
    terms: data,
    ofDeposit: ({ proofUploadId, sameProof, ...deposit }: Deposit): string[] => [
      ...sameProof.map((other) => ofSameProof(deposit, other)),
      ...(proofUploadId === null ? [t('deposit.noProof')] : []),
      ...ofSum(deposit),
    ],
    /** The payment of an approved one shows nothing of its sum, which has been approved. */
    ofWithdrawal: (withdrawal: Withdrawal, facts: MemberFacts | undefined): string[] => {
      const { payTo, verifiedName, nameMatches, approvedAt } = withdrawal
      const names = { payee: payTo.accountName, verified: verifiedName ?? '' }
      const named = verifiedName === null ? t('danger.notVerified', names) : t('danger.otherPayee', names)
      const others = facts?.sameCard ?? []
      return [
        ...(nameMatches ? [] : [named]),
        ...(facts === undefined ? [] : ofChanges(withdrawal, facts)),
        ...(others.length > 0 ? [t('danger.sameCard', { accounts: accounts(others) })] : []),
        ...(approvedAt === null ? ofSum(withdrawal) : []),
      ]
    },
    ofVerification: ({ sameNumber }: Verification): string[] =>
      sameNumber.length > 0 ? [t('danger.sameNumber', { accounts: accounts(sameNumber) })] : [],
    /** For a forgotten password: without a verified name there is nothing to compare the requester with. */
    ofPassword: ({ recovery }: { recovery: boolean }, facts: MemberFacts | undefined): string[] =>
      recovery && facts?.verifiedName === null ? [t('danger.noName')] : [],
  }
}

/** The danger of accepting a request of an amount; undefined if nothing is wrong. */
export const dangerOf = (warnings: readonly string[], amount: string) =>
  warnings.length === 0 ? undefined : { warnings, amount }

/** The same of one without an amount: its member's account is typed instead. */
export const dangerOfMember = (warnings: readonly string[], account: string | undefined) =>
  warnings.length === 0 || account === undefined ? undefined : { warnings, word: account }
