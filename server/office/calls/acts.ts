import type { FreezeReason } from '../../../contract/freeze.ts'
import type { FourEyesAct } from '../../../contract/office/fourEyes.ts'
import type { StaffRole, StaffView } from '../../../contract/office/staff.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { ActCall, ActExecutor, FourEyes, Person } from '../fourEyes/fourEyes.ts'
import type { Freezes, Wallet } from '../../money/index.ts'
import type { PasswordRequests, Sessions } from '../../members/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Staff } from '../staff/staff.ts'
import type { OfficeContext } from './officeCall.ts'
import type { Route } from '../../../contract/route.ts'
import type { DecisionLimits } from './decisionLimits.ts'
import type { SeenFacts } from './seenFacts.ts'
import type { StandingDangers } from './standingDangers.ts'

export type ActsParts = {
  fourEyes: Pick<FourEyes, 'define' | 'isNeeded' | 'openFor'>
  wallet: Pick<Wallet, 'deposits' | 'withdrawals' | 'accounts'>
  passwordRequests: Pick<PasswordRequests, 'office'>
  freezes: Freezes
  db: Db
  sessions: Pick<Sessions, 'endAll'>
  staff: Pick<Staff, 'accounts'>
  decisionLimits: DecisionLimits
  seen: Pick<SeenFacts, 'assertSeenFor'>
  dangers: StandingDangers
}

/** Who acts in a call. */
export const personOf = ({ actor, role }: Pick<OfficeContext<Route>, 'actor' | 'role'>): Person => ({
  actor,
  isStaff: role !== null,
})

/** What two persons do together, each as a call that does it or proposes it. */
export function createActs({ fourEyes, ...parts }: ActsParts) {
  const { db, wallet, dangers, passwordRequests, freezes, sessions, decisionLimits } = parts
  const deposits = wallet.deposits.office
  const withdrawals = wallet.withdrawals.office
  /** An act that is no request: who confirms it by the same call has opened the member's facts. */
  const define = <T>(act: FourEyesAct, execute: ActExecutor<T>): ActCall<T> => {
    const call = fourEyes.define(act, execute)
    return async (request, person, isNeeded) => {
      const open = await fourEyes.openFor(act, request.subject)
      if (open) await parts.seen.assertSeenFor(person, open)
      return call({ ...request, confirms: open }, person, isNeeded)
    }
  }
  return {
    ...createStaffActs(fourEyes, parts.staff),
    isNeeded: fourEyes.isNeeded,
    alone: (...of: Parameters<DecisionLimits['alone']>) => decisionLimits.alone(...of),
    /** Whether a deposit or withdrawal takes two persons: always, or because the sum is above what one decides. */
    takesTwo: async (
      person: Person,
      decision: Parameters<DecisionLimits['isExceeded']>[1],
      always = false,
    ): Promise<boolean> =>
      (always || (await decisionLimits.isExceeded(person, decision))) && (await fourEyes.isNeeded()),
    approveDeposit: fourEyes.define('deposits.approve', async ({ subject }, actor, within) =>
      deposits.approve(subject.id, actor, within, await dangers.deposit(subject.id)),
    ),
    reverseDeposit: fourEyes.define('deposits.reject', ({ subject, params }, actor, within) =>
      deposits.reverse(subject.id, String(params['reason']), actor, within),
    ),
    approveWithdrawal: fourEyes.define('withdrawals.approve', async ({ subject }, actor, within) =>
      withdrawals.approve(subject.id, actor, within, await dangers.withdrawal(subject.id)),
    ),
    rejectWithdrawal: fourEyes.define('withdrawals.reject', ({ subject, params }, actor, within) =>
      withdrawals.reject(subject.id, String(params['reason']), actor, within),
    ),
    unbind: define('withdrawal-accounts.unbind', ({ subject }, actor, within) =>
      wallet.accounts.unbind(subject.id, actor, within),
    ),
    approvePassword: fourEyes.define('password-requests.approve', (request, actor, within) => {
      const how = { called: request.params['called'] === true, firstCodeHash: request.firstCodeHash }
      return passwordRequests.office.approve(request.subject.id, actor, within, how)
    }),
    freeze: define('members.freeze', async ({ subject, params }, actor, within) => {
      const how = { reason: params['reason'] as FreezeReason, tellMember: params['tellMember'] === true }
      const frozen = await freezes.freeze(subject.id, how, actor, within)
      const endSockets = await sessions.endAll(db, subject.id)
      endSockets()
      return frozen
    }),
    renewFreeze: define('members.renew-freeze', ({ subject }, actor, within) =>
      freezes.renew(subject.id, actor, within),
    ),
    setWithdrawalThreshold: defineByProposal(fourEyes, 'limits.withdrawals', ({ params }, actor, within) =>
      decisionLimits.set(moneyOf(String(params['twoPersonsAbove'])), actor, within),
    ),
  }
}
export type Acts = ReturnType<typeof createActs>

/**
 * An act about no member. Its call shows nobody what is proposed, so that it confirms nothing of another person: who has seen
 * the proposal confirms that.
 */
function defineByProposal<T>(
  fourEyes: ActsParts['fourEyes'],
  act: FourEyesAct,
  execute: ActExecutor<T>,
): ActCall<T> {
  const call = fourEyes.define(act, execute)
  return async (request, person, isNeeded) => {
    const open = await fourEyes.openFor(act, request.subject)
    // Who proposed it is told so.
    const confirms = open?.proposedBy === person.actor ? open : null
    return call({ ...request, confirms }, person, isNeeded)
  }
}

function createStaffActs(fourEyes: ActsParts['fourEyes'], { accounts }: ActsParts['staff']) {
  const roleOf = (params: Record<string, unknown>): StaffRole => params['role'] as StaffRole
  return {
    createStaff: defineByProposal(fourEyes, 'staff.create', ({ params }, actor, within) =>
      accounts.create(String(params['name']), roleOf(params), actor, within),
    ),
    setStaffRole: defineByProposal(fourEyes, 'staff.role', ({ subject, params }, actor, within) =>
      accounts.setRole(subject.id, roleOf(params), actor, within, { role: params['from'] as StaffRole }),
    ),
    disableStaff: defineByProposal(fourEyes, 'staff.disable', ({ subject }, actor, within) =>
      accounts.disable(subject.id, actor, within),
    ),
    enrolStaff: defineByProposal(fourEyes, 'staff.enrol', ({ subject, params }, actor, within) =>
      accounts.enrol(subject.id, actor, within, {
        role: roleOf(params),
        status: params['status'] as StaffView['status'],
      }),
    ),
  }
}
