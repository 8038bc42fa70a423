import type { FastifyInstance } from 'fastify'
import { depositRoutes } from '../../../contract/deposits.ts'
import { withdrawalRoutes } from '../../../contract/withdrawals.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { mount } from '../../platform/http/mount.ts'
import { mountIdempotent } from '../../platform/idempotency/idempotentRoute.ts'
import type { IdempotencyKeys } from '../../platform/idempotency/idempotencyKeys.ts'
import { createHolds } from '../ledger/holds.ts'
import type { Module } from '../../platform/module.ts'
import type { Confirmations } from '../../platform/http/confirmations.ts'
import { partyOf } from '../../platform/http/requestParty.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createSealedIndex } from '../../platform/sealedIndex.ts'
import { createVault } from '../../platform/vault.ts'
import type { WithdrawalRests } from '../withdrawalRest/withdrawalRest.ts'
import { readAwaiting } from './awaitingDeposits.ts'
import { createDepositMethods, type DepositMethodSettings } from './depositMethods.ts'
import { createDeposits, type Deposits } from './deposits.ts'
import type { DepositsParts } from './depositsParts.ts'
import { eraseAccounts } from './erasure.ts'
import { createWithdrawalAccounts, type WithdrawalAccounts } from './withdrawalAccounts.ts'
import type { WithdrawalsParts } from './withdrawalEnd.ts'
import { createWithdrawals, type Withdrawals } from './withdrawals.ts'
import { createWithdrawalViews } from './withdrawalView.ts'
import type { MoneySettings } from '../settings.ts'

export type WalletParts = Omit<DepositsParts, 'methods'> &
  Omit<WithdrawalsParts, 'accounts' | 'views' | 'holds' | 'withdrawalRests'> & {
    idempotencyKeys: IdempotencyKeys
    /** Encrypts withdrawal accounts. */
    secrets: Pick<Secrets, 'uploadKey'>
    withdrawalRests: WithdrawalRests
    confirmations: Pick<Confirmations, 'transaction'>
    settings: DepositMethodSettings & WithdrawalsParts['settings'] & Pick<MoneySettings, 'mode'>
  }

/** Deposits, withdrawals, and the accounts that withdrawals are paid to. */
export type Wallet = {
  deposits: Deposits
  withdrawals: Withdrawals
  accounts: WithdrawalAccounts
  /** Erases where the withdrawals of a closed account went. */
  erase(tx: DbTransaction, memberId: string): Promise<void>
}

export function createWallet(parts: WalletParts): Wallet & Module {
  const vault = createVault(parts.secrets.uploadKey, 'withdrawal accounts', parts.random)
  const sealedIndex = createSealedIndex(parts.secrets.uploadKey)
  const accounts = createWithdrawalAccounts({ ...parts, vault, sealedIndex })
  const deposits = createDeposits({ ...parts, methods: createDepositMethods(parts.settings) })
  const holds = createHolds(parts)
  const views = createWithdrawalViews(vault)
  const withdrawals = createWithdrawals({ ...parts, holds, accounts, views })
  const wallet: Wallet = {
    deposits,
    withdrawals,
    accounts,
    erase: (tx, memberId) => eraseAccounts({ vault, views }, tx, memberId),
  }
  return {
    ...wallet,
    mount: (app) => mountRoutes(app, parts, wallet),
  }
}

/** The routes of deposits, withdrawals and the withdrawal account. */
function mountRoutes(
  app: FastifyInstance,
  { db, idempotencyKeys, withdrawalRests, confirmations, settings }: WalletParts,
  wallet: Wallet,
): void {
  const { deposits, withdrawals, accounts } = wallet

  mount(app, depositRoutes.depositMethods, async () => deposits.methods())
  mountIdempotent(app, { db, idempotencyKeys }, depositRoutes.placeDeposit, (tx, { member, body }) =>
    deposits.place(tx, member.memberId, body),
  )
  mount(app, depositRoutes.deposits, ({ member, query }) => deposits.list(member.memberId, query))

  mount(app, withdrawalRoutes.withdrawalAccount, async ({ member }) => ({
    account: await accounts.bound(member.memberId),
    rest: await withdrawalRests.current(member.memberId),
    awaiting: await readAwaiting(db, member.memberId),
  }))
  mount(app, withdrawalRoutes.bindAccount, async ({ member: { memberId }, body, request }) => {
    const { transactionPassword, passkey, ...details } = body
    const confirmation = { transactionPassword, passkey }
    const account = await accounts.bind(memberId, details, async () => {
      if (transactionPassword === undefined && passkey === undefined) {
        if (settings.mode === 'practice') return
        throw new ApiError('VALIDATION', { fields: { transactionPassword: 'EMPTY' } })
      }
      await confirmations.transaction(memberId, 'withdrawalAccount', confirmation, () => partyOf(request))
    })
    return { account }
  })

  mountIdempotent(
    app,
    { db, idempotencyKeys },
    withdrawalRoutes.placeWithdrawal,
    (tx, { member, body }) => withdrawals.place(tx, member.memberId, body),
    ({ member: { memberId }, body, request }) =>
      withdrawals.validate(memberId, body, () =>
        confirmations.transaction(memberId, 'withdrawal', body, () => partyOf(request)),
      ),
  )
  mount(app, withdrawalRoutes.withdrawals, ({ member, query }) => withdrawals.list(member.memberId, query))
  mountIdempotent(app, { db, idempotencyKeys }, withdrawalRoutes.cancelWithdrawal, (tx, { member, params }) =>
    withdrawals.cancel(tx, member.memberId, params.id),
  )
}
