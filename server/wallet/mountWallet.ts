import type { FastifyInstance } from 'fastify'
import { walletRoutes } from '../../contract/wallet.ts'
import type { Db } from '../db/database.ts'
import { mount } from '../http/mount.ts'
import { mountKeyed } from '../idempotency/keyed.ts'
import type { Keys } from '../idempotency/keys.ts'
import type { WithdrawalAccounts } from './accounts.ts'
import type { Deposits } from './deposits.ts'
import type { Withdrawals } from './withdrawals.ts'

export type WalletMount = {
  db: Db
  keys: Keys
  deposits: Deposits
  withdrawals: Withdrawals
  accounts: WithdrawalAccounts
}

/** Money in and out, and the account it goes out to. */
export function mountWallet(app: FastifyInstance, parts: WalletMount): void {
  const { db, keys, deposits, withdrawals, accounts } = parts

  mount(app, walletRoutes.depositMethods, async () => deposits.methods())
  mountKeyed(app, { db, keys }, walletRoutes.placeDeposit, (tx, { member, body }) =>
    deposits.place(tx, member.memberId, body),
  )
  mount(app, walletRoutes.deposits, ({ member, query }) => deposits.list(member.memberId, query))

  mount(app, walletRoutes.withdrawalAccount, async ({ member }) => ({
    account: await accounts.bound(member.memberId),
  }))
  mount(app, walletRoutes.bindAccount, async ({ member, body }) => ({
    account: await accounts.bind(member.memberId, body),
  }))

  mountKeyed(
    app,
    { db, keys },
    walletRoutes.placeWithdrawal,
    (tx, { member, body }) => withdrawals.place(tx, member.memberId, body),
    ({ member, body }) => withdrawals.judge(member.memberId, body),
  )
  mount(app, walletRoutes.withdrawals, ({ member, query }) => withdrawals.list(member.memberId, query))
  mountKeyed(app, { db, keys }, walletRoutes.cancelWithdrawal, (tx, { member, params }) =>
    withdrawals.cancel(tx, member.memberId, params.id),
  )
}
