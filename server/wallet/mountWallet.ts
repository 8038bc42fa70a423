import type { FastifyInstance } from 'fastify'
import { walletRoutes } from '../../contract/wallet.ts'
import type { Db } from '../db/database.ts'
import { mount } from '../http/mount.ts'
import { mountIdempotent } from '../idempotency/idempotentRoute.ts'
import type { IdempotencyKeys } from '../idempotency/idempotencyKeys.ts'
import type { WithdrawalAccounts } from './withdrawalAccounts.ts'
import type { Deposits } from './deposits.ts'
import type { Withdrawals } from './withdrawals.ts'

export type WalletMount = {
  db: Db
  idempotencyKeys: IdempotencyKeys
  deposits: Deposits
  withdrawals: Withdrawals
  accounts: WithdrawalAccounts
}

/** The routes of deposits, withdrawals and the withdrawal account. */
export function mountWallet(app: FastifyInstance, parts: WalletMount): void {
  const { db, idempotencyKeys, deposits, withdrawals, accounts } = parts

  mount(app, walletRoutes.depositMethods, async () => deposits.methods())
  mountIdempotent(app, { db, idempotencyKeys }, walletRoutes.placeDeposit, (tx, { member, body }) =>
    deposits.place(tx, member.memberId, body),
  )
  mount(app, walletRoutes.deposits, ({ member, query }) => deposits.list(member.memberId, query))

  mount(app, walletRoutes.withdrawalAccount, async ({ member }) => ({
    account: await accounts.bound(member.memberId),
  }))
  mount(app, walletRoutes.bindAccount, async ({ member, body }) => ({
    account: await accounts.bind(member.memberId, body),
  }))

  mountIdempotent(
    app,
    { db, idempotencyKeys },
    walletRoutes.placeWithdrawal,
    (tx, { member, body }) => withdrawals.place(tx, member.memberId, body),
    ({ member, body }) => withdrawals.validate(member.memberId, body),
  )
  mount(app, walletRoutes.withdrawals, ({ member, query }) => withdrawals.list(member.memberId, query))
  mountIdempotent(app, { db, idempotencyKeys }, walletRoutes.cancelWithdrawal, (tx, { member, params }) =>
    withdrawals.cancel(tx, member.memberId, params.id),
  )
}
