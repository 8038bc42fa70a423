import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { minuteMs } from '../../../contract/time.ts'
import { ageText } from '../../data/age.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useVenueNow } from '../../data/venueClock.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { otherName } from './otherName.ts'
import { useSumDanger } from './useSumDanger.ts'

const { deposits, limits, verifications, withdrawals } = officeRoutes
type Deposit = Pick<
  RouteAnswer<typeof deposits.show>,
  'amount' | 'proofUploadId' | 'sameProof' | 'inDay' | 'proposal' | 'createdAt' | 'alone'
>
type Withdrawal = Pick<
  RouteAnswer<typeof withdrawals.show>,
  | 'amount'
  | 'payTo'
  | 'verifiedName'
  | 'nameMatches'
  | 'approvedAt'
  | 'freshChanges'
  | 'inDay'
  | 'proposal'
  | 'alone'
>
type Verification = Pick<RouteAnswer<typeof verifications.show>, 'sameNumber' | 'before'>

/**
 * What could be wrong with a request, in words, as far as the venue shows it. Of requests that move money the venue itself marks
 * the main ones in lists (`readMarks` of `server/office/calls/queueMarks.ts`) and with an act (`createStandingDangers`).
 */
export function useDangers() {
  const t = useTexts()
  const now = useVenueNow()
  const { ofFrozen, ofPause } = usePauses()
  // What is deposited and withdrawn: nothing is decided by it, so it may be missing.
  const { data } = useOfficeCall(limits.show, {}, { alwaysFresh: true })
  const ofSum = useSumDanger()
  const ofChanges = ({ freshChanges }: Withdrawal): string[] =>
    freshChanges.map(({ what, at }) =>
      t('danger.changed', { what: t(`change.${what}`), age: ageText(t, now - at) }),
    )
  const ofSameProof = (own: Pick<Deposit, 'createdAt'>, other: Deposit['sameProof'][number]): string => {
    const laterMs = other.createdAt - own.createdAt
    const isSame = Math.abs(laterMs) < minuteMs
    const apart = laterMs < 0 ? 'danger.sameProofBefore' : 'danger.sameProofAfter'
    return t(isSame ? 'danger.sameProofSame' : apart, {
      account: other.account,
      age: ageText(t, Math.abs(laterMs)),
      no: other.no,
      status: t(`status.${other.status}`),
    })
  }
  const ofProof = ({ proofUploadId, sameProof, ...deposit }: Deposit): string[] => [
    ...sameProof.map((other) => ofSameProof(deposit, other)),
    ...(proofUploadId === null ? [t('deposit.noProof')] : []),
  ]
  const accounts = (members: MemberFacts['sameCard']) => members.map(otherName).join(', ')
  return {
    /** What is deposited and withdrawn, and how the ways to deposit are called. */
    terms: data,
    /** Of any member, whatever is asked for. */
    ofMember: (facts: MemberFacts): string[] => [
      ...ofFrozen(facts),
      ...ofPause('danger.rests', facts.restsUntil),
      ...ofPause('danger.excluded', facts.excludedUntil),
    ],
    ofDeposit: (deposit: Deposit, facts: MemberFacts | undefined): string[] => [
      ...ofFrozen(facts),
      ...ofPause('danger.excluded', facts?.excludedUntil),
      ...ofProof(deposit),
      ...ofSum(deposit),
    ],
    ofProof,
    /** The payment of an approved one shows nothing of its sum, which has been approved. */
    ofWithdrawal: (withdrawal: Withdrawal, facts: MemberFacts | undefined): string[] => {
      const { payTo, verifiedName, nameMatches, approvedAt } = withdrawal
      const names = { payee: payTo.accountName, verified: verifiedName ?? '' }
      const named = verifiedName === null ? t('danger.notVerified', names) : t('danger.otherPayee', names)
      const others = facts?.sameCard ?? []
      return [
        ...ofFrozen(facts),
        ...ofPause('danger.rests', facts?.restsUntil),
        ...(nameMatches ? [] : [named]),
        ...ofChanges(withdrawal),
        ...(others.length > 0 ? [t('danger.sameCard', { accounts: accounts(others) })] : []),
        ...(approvedAt === null ? ofSum(withdrawal) : []),
      ]
    },
    ofVerification: ({ sameNumber, before }: Verification, facts: MemberFacts | undefined): string[] => [
      ...ofFrozen(facts),
      ...ofOther(t, before),
      ...(sameNumber.length > 0 ? [t('danger.sameNumber', { accounts: accounts(sameNumber) })] : []),
    ],
    /** For a forgotten password: without a verified name there is nothing to compare the requester with. */
    ofPassword: ({ recovery }: { recovery: boolean }, facts: MemberFacts | undefined): string[] => [
      ...ofFrozen(facts),
      ...(recovery && facts?.verifiedName === null ? [t('danger.noName')] : []),
    ],
  }
}

/** That the member was verified as another person before. */
const ofOther = (t: Texts, before: Verification['before']): string[] => {
  if (before?.differs !== true) return []
  const { name, idNumber, revokedBy } = before
  return [t('danger.otherPerson', { name, idNumber, by: revokedBy ?? '' })]
}

/** That a member may not do at present what is asked for. */
function usePauses() {
  const t = useTexts()
  const format = useOfficeFormat()
  /** First of all, in any request: nothing of a frozen account is decided in passing. */
  const ofFrozen = (facts: MemberFacts | undefined): string[] => [
    ...(facts?.proposals ?? [])
      .filter(({ act }) => act === 'members.freeze')
      .map(({ proposedBy }) => t('danger.freezeProposed', { by: proposedBy })),
    ...(facts?.frozen
      ? [
          t('danger.frozen', {
            until: format.dateTime(facts.frozen.until),
            reason: t(`member.reasons.${facts.frozen.reason}`),
          }),
        ]
      : []),
  ]
  const ofPause = (key: 'danger.rests' | 'danger.excluded', until: number | null | undefined): string[] =>
    typeof until === 'number' ? [t(key, { until: format.dateTime(until) })] : []
  return { ofFrozen, ofPause }
}

/** The danger of accepting a request of an amount; undefined if nothing is wrong. `ofProof`: the amount is read from the proof. */
export const dangerOf = (warnings: readonly string[], amount: string, ofProof = false) =>
  warnings.length === 0 ? undefined : { warnings, amount, ofProof }

/** The same of one without an amount: its member's account is typed instead. */
export const dangerOfMember = (warnings: readonly string[], account: string | undefined) =>
  warnings.length === 0 || account === undefined ? undefined : { warnings, word: account }
