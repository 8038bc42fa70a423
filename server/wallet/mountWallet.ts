import type { FastifyInstance } from 'fastify'
import { depositRoutes } from '../../contract/deposits.ts'
import { withdrawalRoutes } from '../../contract/withdrawals.ts'
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

  mount(app, depositRoutes.depositMethods, async () => deposits.methods())
  mountIdempotent(app, { db, idempotencyKeys }, depositRoutes.placeDeposit, (tx, { member, body }) =>
    deposits.place(tx, member.memberId, body),
  )
  mount(app, depositRoutes.deposits, ({ member, query }) => deposits.list(member.memberId, query))

  mount(app, withdrawalRoutes.withdrawalAccount, async ({ member }) => ({
    account: await accounts.bound(member.memberId),
  }))
  mount(app, withdrawalRoutes.bindAccount, async ({ member, body }) => ({
    account: await accounts.bind(member.memberId, body),
  }))

  mountIdempotent(
    app,
    { db, idempotencyKeys },
    withdrawalRoutes.placeWithdrawal,
    (tx, { member, body }) => withdrawals.place(tx, member.memberId, body),
    ({ member, body }) => withdrawals.validate(member.memberId, body),
  )
  mount(app, withdrawalRoutes.withdrawals, ({ member, query }) => withdrawals.list(member.memberId, query))
  mountIdempotent(app, { db, idempotencyKeys }, withdrawalRoutes.cancelWithdrawal, (tx, { member, params }) =>
    withdrawals.cancel(tx, member.memberId, params.id),
  )
}
