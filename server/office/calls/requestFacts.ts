import type { officeRoutes } from '../../../contract/office/routes.ts'
import type { Confirmed, Declined, FourEyesAct, Proposal } from '../../../contract/office/fourEyes.ts'
import type { RouteReply } from '../../../contract/route.ts'
import { readMemberTotals, readSumInDay, type Wallet } from '../../money/index.ts'
import { readSecurityChanges, type PasswordRequests, type Verifications } from '../../members/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { isSameSpelling, type SealedIndex } from '../../platform/sealedIndex.ts'
import { readConfirmed, readDeclined } from '../fourEyes/earlier.ts'
import type { FourEyes } from '../fourEyes/fourEyes.ts'
import { freshChangesOf } from './freshChanges.ts'
import { readOthers } from './lastingFacts.ts'

type Shown<N extends 'deposits' | 'withdrawals' | 'verifications' | 'password-requests'> = RouteReply<
  (typeof officeRoutes)[N]['show']
>
/** What is shown of a request by id, the same to everybody: whether it takes two, and what one decided alone, depend on who asks. */
export type RequestFacts = {
  deposit(id: string): Promise<Omit<Shown<'deposits'>, 'takesTwo' | 'alone'>>
  withdrawal(id: string): Promise<Omit<Shown<'withdrawals'>, 'takesTwo' | 'alone'>>
  /** By the id of the submission or of its member. */
  verification(id: string): Promise<Shown<'verifications'>>
  'password-request'(id: string): Promise<Omit<Shown<'password-requests'>, 'takesTwo'>>
}

export type RequestFactsParts = {
  db: Db
  fourEyes: Pick<FourEyes, 'openFor'>
  wallet: Pick<Wallet, 'deposits' | 'withdrawals' | 'accounts'>
  verifications: Pick<Verifications, 'office'>
  passwordRequests: Pick<PasswordRequests, 'office'>
  sealedIndex: Pick<SealedIndex, 'find'>
}

/** Who the member was before the last verification was revoked. */
export async function readBefore(
  { office }: Pick<Verifications, 'office'>,
  shown: { id: string; memberId: string; name: string; idNumber: string },
): Promise<Shown<'verifications'>['before']> {
  const before = await office.revoked(shown)
  if (!before) return null
  const isSame = isSameSpelling(before.name, shown.name) && isSameSpelling(before.idNumber, shown.idNumber)
  return { ...before, differs: !isSame }
}

/** Reads what decides each kind of request. The caller writes the row of the act log. */
export function createRequestFacts(parts: RequestFactsParts): RequestFacts {
  const { db, fourEyes, wallet, verifications, sealedIndex } = parts
  /** What waits for another person about a subject, and what became of earlier proposals of the same. */
  const proposedFor = async (
    act: FourEyesAct,
    subject: Proposal['subject'],
    /** What else two persons may decide about it: not at once. */
    other?: FourEyesAct,
  ): Promise<{ proposal: Proposal | null; declined: Declined[]; confirmed: Confirmed | null }> => {
    const [declined = []] = await readDeclined(db, [{ act, subject }])
    const confirmed = await readConfirmed(db, { act, subject })
    const open = await fourEyes.openFor(act, subject)
    const proposal = open ?? (other === undefined ? null : await fourEyes.openFor(other, subject))
    return { proposal, declined, confirmed }
  }
  return {
    deposit: async (id) => {
      const deposit = await wallet.deposits.office.show(id)
      return {
        ...deposit,
        inDay: await readSumInDay(db, 'deposit', deposit),
        sameProof: await wallet.deposits.office.withSameProof(id),
        ...(await proposedFor('deposits.approve', { kind: 'deposit', id }, 'deposits.reject')),
      }
    },
    withdrawal: async (id) => {
      const withdrawal = await wallet.withdrawals.office.show(id)
      const { details } = await wallet.accounts.showForOffice(withdrawal.account.id)
      const { memberId } = withdrawal
      const verifiedName = await verifications.office.verifiedName(memberId)
      const changes = await readSecurityChanges(db, memberId)
      const { lastPaidAt } = await readMemberTotals(db, memberId)
      return {
        ...withdrawal,
        inDay: await readSumInDay(db, 'withdrawal', withdrawal),
        payTo: details,
        verifiedName,
        nameMatches: verifiedName !== null && isSameSpelling(verifiedName, details.accountName),
        freshChanges: freshChangesOf(withdrawal, { changes, lastPaidAt }),
        ...(await proposedFor('withdrawals.approve', { kind: 'withdrawal', id }, 'withdrawals.reject')),
      }
    },
    verification: async (id) => {
      const shown = await verifications.office.show(id)
      const found = await sealedIndex.find(db, shown.idNumber)
      const same = found.filter(({ kind, memberId }) => kind === 'idNumber' && memberId !== shown.memberId)
      const sameNumber = await readOthers(
        parts,
        same.map(({ memberId }) => memberId),
      )
      return { ...shown, before: await readBefore(verifications, shown), sameNumber }
    },
    'password-request': async (id) => ({
      ...(await parts.passwordRequests.office.show(id)),
      ...(await proposedFor('password-requests.approve', { kind: 'password-request', id })),
    }),
  }
}
