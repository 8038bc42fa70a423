import type { FreezeReason } from '../../contract/freeze.ts'
import type { StaffRole } from '../../contract/backOffice/staff.ts'
import { moneyOf } from '../../contract/money.ts'
import type { FourEyes, Person } from '../fourEyes/fourEyes.ts'
import type { Freezes } from '../freezes/freezes.ts'
import type { PasswordRequests } from '../members/passwordRequests.ts'
import type { Db } from '../db/database.ts'
import type { Sessions } from '../members/sessions.ts'
import type { Staff } from '../staff/staff.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { BackOfficeContext } from './backOfficeCall.ts'
import type { Route } from '../../contract/route.ts'
import type { WithdrawalThreshold } from './withdrawalThreshold.ts'

export type ActsParts = {
  fourEyes: Pick<FourEyes, 'define' | 'isNeeded' | 'openFor'>
  wallet: Pick<Wallet, 'withdrawals' | 'accounts'>
  passwordRequests: Pick<PasswordRequests, 'backOffice'>
  freezes: Freezes
  db: Db
  sessions: Pick<Sessions, 'endAll'>
  staff: Pick<Staff, 'accounts'>
  withdrawalThreshold: WithdrawalThreshold
}

/** Who acts in a call. */
export const personOf = ({ actor, role }: Pick<BackOfficeContext<Route>, 'actor' | 'role'>): Person => ({
  actor,
  isStaff: role !== null,
})

/** What two persons do together, each as a call that does it or proposes it. */
export function createActs({ fourEyes, ...parts }: ActsParts) {
  const { db, wallet, passwordRequests, freezes, sessions, withdrawalThreshold } = parts
  const withdrawals = wallet.withdrawals.backOffice
  return {
    ...createStaffActs(fourEyes, parts.staff),
    isNeeded: fourEyes.isNeeded,
    openFor: fourEyes.openFor,
    approveWithdrawal: fourEyes.define('withdrawals.approve', ({ subject }, actor, within) =>
      withdrawals.approve(subject.id, actor, within),
    ),
    unbind: fourEyes.define('withdrawal-accounts.unbind', ({ subject }, actor, within) =>
      wallet.accounts.unbind(subject.id, actor, within),
    ),
    approvePassword: fourEyes.define('password-requests.approve', ({ subject }, actor, within) =>
      passwordRequests.backOffice.approve(subject.id, actor, within),
    ),
    freeze: fourEyes.define('members.freeze', async ({ subject, params }, actor, within) => {
      const how = { reason: params['reason'] as FreezeReason, tellMember: params['tellMember'] === true }
      const frozen = await freezes.freeze(subject.id, how, actor, within)
      const endSockets = await sessions.endAll(db, subject.id)
      endSockets()
      return frozen
    }),
    renewFreeze: fourEyes.define('members.renew-freeze', ({ subject }, actor, within) =>
      freezes.renew(subject.id, actor, within),
    ),
    /** Whether a withdrawal of this amount takes two persons. */
    isLarge: async (amount: string): Promise<boolean> => moneyOf(amount) > (await withdrawalThreshold.read()),
    setWithdrawalThreshold: fourEyes.define('limits.withdrawals', ({ params }, actor, within) =>
      withdrawalThreshold.set(moneyOf(String(params['twoPersonsAbove'])), actor, within),
    ),
  }
}
export type Acts = ReturnType<typeof createActs>

function createStaffActs(fourEyes: ActsParts['fourEyes'], { accounts }: ActsParts['staff']) {
  const roleOf = (params: Record<string, unknown>): StaffRole => params['role'] as StaffRole
  return {
    createStaff: fourEyes.define('staff.create', ({ params }, actor, within) =>
      accounts.create(String(params['name']), roleOf(params), actor, within),
    ),
    setStaffRole: fourEyes.define('staff.role', ({ subject, params }, actor, within) =>
      accounts.setRole(subject.id, roleOf(params), actor, within),
    ),
    enrolStaff: fourEyes.define('staff.enrol', ({ subject }, actor, within) =>
      accounts.enrol(subject.id, actor, within),
    ),
  }
}
