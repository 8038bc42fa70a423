import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { AccountDetails, WithdrawalAccount } from '../../contract/withdrawals.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db, DbTransaction, WithinTransaction } from '../db/database.ts'
import { isUniqueViolation } from '../db/errors.ts'
import { member } from '../db/schema/member.ts'
import { withdrawalAccount } from '../db/schema/wallet.ts'
import type { WithdrawalAccountRow } from '../db/schema/wallet.ts'
import { ApiError } from '../apiError.ts'
import type { Messages } from '../messages/messages.ts'
import type { Clock, Random } from '../ports.ts'
import { notErased } from '../sealedIndex.ts'
import type { SealedIndex, SealedRow } from '../sealedIndex.ts'
import type { Vault } from '../vault.ts'
import type { WithdrawalRests } from '../withdrawalRest/withdrawalRest.ts'
import { maskedAccount } from './mask.ts'

/** The one account that a member's withdrawals go to. The member binds it once; only customer service unbinds it. */
export type WithdrawalAccounts = {
  /** Masked; null if none is bound. With `tx` it cannot be unbound until the end of the transaction. */
  bound(memberId: string, tx?: DbTransaction): Promise<WithdrawalAccount | null>
  /**
   * Withdrawals rest afterwards. Throws `ALREADY_BOUND`, or what `confirm` does, which checks the transaction password
   * or a passkey: a stolen session alone binds no account for real money.
   */
  bind(memberId: string, details: AccountDetails, confirm: () => Promise<void>): Promise<WithdrawalAccount>
  /** Accepts the id of the account or of its member. Throws `NOT_FOUND` if no such account is bound. */
  unbind(id: string, actor: string, within?: WithinTransaction): Promise<{ id: string; memberId: string }>
  /** The bound account of an id or a member. Throws `NOT_FOUND`. */
  boundRef(id: string): Promise<{ id: string; memberId: string }>
  /** The full details, for paying out; each view writes an audit row. */
  showForBackOffice(accountId: string, actor: string): Promise<{ memberId: string; details: AccountDetails }>
}

export type WithdrawalAccountsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  vault: Vault
  sealedIndex: SealedIndex
  audit: Audit
  messages: Pick<Messages, 'send'>
  withdrawalRests: Pick<WithdrawalRests, 'begin'>
}

const link = 'pages/account/account'

export function createWithdrawalAccounts(parts: WithdrawalAccountsParts): WithdrawalAccounts {
  const { db, clock, vault, audit, messages } = parts
  const detailsOf = (row: WithdrawalAccountRow): AccountDetails =>
    JSON.parse(vault.decrypt(row.detailsSealed, row.id).toString()) as AccountDetails
  const bound: WithdrawalAccounts['bound'] = async (memberId, tx) => {
    const own = and(eq(withdrawalAccount.memberId, memberId), isNull(withdrawalAccount.unboundAt))
    const query = (tx ?? db).select().from(withdrawalAccount).where(own)
    const [row] = await (tx ? query.for('share') : query)
    return row ? maskedAccount(row.id, detailsOf(row), row.boundAt) : null
  }

  return {
    bound,
    bind: async (memberId, details, confirm) => {
      if (await bound(memberId)) throw new ApiError('ALREADY_BOUND')
      await confirm()
      return bindAccount(parts, memberId, details)
    },
    boundRef: async (id) => {
      const matchesId = or(eq(withdrawalAccount.id, id), eq(withdrawalAccount.memberId, id))
      const [row] = await db
        .select({ id: withdrawalAccount.id, memberId: withdrawalAccount.memberId })
        .from(withdrawalAccount)
        .where(and(matchesId, isNull(withdrawalAccount.unboundAt)))
      if (!row) throw new ApiError('NOT_FOUND')
      return row
    },
    unbind: async (id, actor, within) => {
      const { row, notify } = await db.transaction(async (tx) => {
        const matchesId = or(eq(withdrawalAccount.id, id), eq(withdrawalAccount.memberId, id))
        const [row] = await tx
          .update(withdrawalAccount)
          .set({ unboundAt: clock.now(), unboundBy: actor })
          .where(and(matchesId, isNull(withdrawalAccount.unboundAt)))
          .returning()
        if (!row) throw new ApiError('NOT_FOUND')
        await within?.(tx)
        const { memberId } = row
        await markBound(tx, memberId, false)
        await audit.write(tx, {
          actor,
          act: 'unbind',
          subject: { kind: 'withdrawal-account', id: row.id },
          memberId,
        })
        const draft = { memberId, key: 'withdrawalAccountUnbound', params: {}, link } as const
        return { row, notify: await messages.send(tx, draft) }
      })
      notify()
      return { id: row.id, memberId: row.memberId }
    },
    showForBackOffice: async (accountId, actor) => {
      const matchesId = or(eq(withdrawalAccount.id, accountId), eq(withdrawalAccount.memberId, accountId))
      const [row] = await db
        .select()
        .from(withdrawalAccount)
        .where(matchesId)
        .orderBy(desc(withdrawalAccount.boundAt))
        .limit(1)
      if (!row) throw new ApiError('NOT_FOUND')
      const { id, memberId } = row
      await audit.write(db, { actor, act: 'view', subject: { kind: 'withdrawal-account', id }, memberId })
      return { memberId, details: detailsOf(row) }
    },
  }
}

async function bindAccount(
  { db, clock, random, vault, sealedIndex, messages, withdrawalRests }: WithdrawalAccountsParts,
  memberId: string,
  details: AccountDetails,
): Promise<WithdrawalAccount> {
  const id = random.uuid()
  const boundAt = clock.now()
  const detailsSealed = vault.encrypt(JSON.stringify(details), id)
  try {
    const notify = await db.transaction(async (tx) => {
      await tx.insert(withdrawalAccount).values({ id, memberId, type: details.type, detailsSealed, boundAt })
      await sealedIndex.add(tx, sealedRowOf({ id, memberId }, details))
      await markBound(tx, memberId, true)
      await withdrawalRests.begin(tx, memberId, 'account_bound')
      // So that the member notices if someone else binds an account.
      return messages.send(tx, { memberId, key: 'withdrawalAccountBound', params: {}, link })
    })
    notify()
  } catch (error) {
    if (isUniqueViolation(error, 'withdrawal_account_bound')) throw new ApiError('ALREADY_BOUND')
    throw error
  }
  return maskedAccount(id, details, boundAt)
}

const sealedRowOf = (
  { id, memberId }: Pick<WithdrawalAccountRow, 'id' | 'memberId'>,
  details: AccountDetails,
): SealedRow => ({
  id,
  memberId,
  fields: {
    payee: [details.accountName, details.type === 'bank' ? details.cardNumber : details.currencyAddress],
  },
})

/** Accounts of builds without the index can be searched for too. */
export async function indexEarlierAccounts({
  db,
  vault,
  sealedIndex,
}: WithdrawalAccountsParts): Promise<void> {
  const ids = await db
    .select({ id: withdrawalAccount.id })
    .from(withdrawalAccount)
    .where(notErased(db, withdrawalAccount.memberId))
  await sealedIndex.addMissing(
    db,
    ids.map(({ id }) => id),
    async (missing) => {
      const rows = await db.select().from(withdrawalAccount).where(inArray(withdrawalAccount.id, missing))
      return rows.map((row) =>
        sealedRowOf(row, JSON.parse(vault.decrypt(row.detailsSealed, row.id).toString()) as AccountDetails),
      )
    },
  )
}

async function markBound(tx: DbTransaction, memberId: string, bound: boolean): Promise<void> {
  await tx.update(member).set({ withdrawalAccountBound: bound }).where(eq(member.id, memberId))
}
