import type { FastifyInstance } from 'fastify'
import { depositRoutes } from '../../contract/deposits.ts'
import { withdrawalRoutes } from '../../contract/withdrawals.ts'
import { ApiError } from '../apiError.ts'
import type { Settings } from '../config.ts'
import type { DbTransaction } from '../db/database.ts'
import { mount } from '../http/mount.ts'
import { mountIdempotent } from '../idempotency/idempotentRoute.ts'
import type { IdempotencyKeys } from '../idempotency/idempotencyKeys.ts'
import { createHolds } from '../ledger/holds.ts'
import type { Module } from '../module.ts'
import type { Confirmations } from '../secondFactor/confirmations.ts'
import { partyOf } from '../secondFactor/requestParty.ts'
import type { Secrets } from '../secrets.ts'
import { createSealedIndex } from '../sealedIndex.ts'
import { createVault } from '../vault.ts'
import type { WithdrawalRests } from '../withdrawalRest/withdrawalRest.ts'
import { createDepositMethods } from './depositMethods.ts'
import type { DepositMethodSettings } from './depositMethods.ts'
import { createDeposits } from './deposits.ts'
import type { Deposits, DepositsParts } from './deposits.ts'
import { eraseAccounts } from './erasure.ts'
import { createWithdrawalAccounts, indexEarlierAccounts } from './withdrawalAccounts.ts'
import type { WithdrawalAccounts } from './withdrawalAccounts.ts'
import type { WithdrawalsParts } from './withdrawalEnd.ts'
import { createWithdrawals } from './withdrawals.ts'
import type { Withdrawals } from './withdrawals.ts'
import { createWithdrawalViews } from './withdrawalView.ts'

export type WalletParts = Omit<DepositsParts, 'methods'> &
  Omit<WithdrawalsParts, 'accounts' | 'views' | 'holds' | 'withdrawalRests'> & {
    idempotencyKeys: IdempotencyKeys
    /** Encrypts withdrawal accounts. */
    secrets: Pick<Secrets, 'uploadKey'>
    withdrawalRests: WithdrawalRests
    confirmations: Pick<Confirmations, 'transaction'>
    settings: DepositMethodSettings & Pick<Settings, 'mode'>
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
  const accountsParts = { ...parts, vault, sealedIndex: createSealedIndex(parts.secrets.uploadKey) }
  const accounts = createWithdrawalAccounts(accountsParts)
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
    start: () => indexEarlierAccounts(accountsParts),
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
  }))
  mount(app, withdrawalRoutes.bindAccount, async ({ member: { memberId }, body, request }) => {
    const { transactionPassword, passkey, ...details } = body
    const proof = { transactionPassword, passkey }
    const account = await accounts.bind(memberId, details, async () => {
      if (transactionPassword === undefined && passkey === undefined) {
        if (settings.mode === 'practice') return
        throw new ApiError('VALIDATION', { fields: { transactionPassword: 'EMPTY' } })
      }
      await confirmations.transaction(memberId, 'withdrawalAccount', proof, () => partyOf(request))
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
