import { and, desc, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { AccountDetails, WithdrawalAccount } from '../../../contract/withdrawals.ts'
import type { ActLog, Messages } from '../../notices/index.ts'
import type { Db, DbTransaction, WithinTransaction } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import { member } from '../../platform/db/schema.ts'
import { withdrawalAccount, type WithdrawalAccountRow } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import type { SealedIndex, SealedRow } from '../../platform/sealedIndex.ts'
import type { Vault } from '../../platform/vault.ts'
import type { WithdrawalRests } from '../withdrawalRest/withdrawalRest.ts'
import { maskedAccount } from './mask.ts'

/** The one account that a member's withdrawals go to. The member binds it once; only customer service unbinds it. */
export type WithdrawalAccounts = {
  /** Masked; null if none is bound. With `tx` it cannot be unbound until the end of the transaction. */
  bound(memberId: string, tx?: DbTransaction): Promise<WithdrawalAccount | null>
  /**
   * Withdrawals are paused afterwards. Throws `ALREADY_BOUND`, or what `confirm` does, which checks the transaction
   * password or a passkey: a stolen session alone binds no account for real money.
   */
  bind(memberId: string, details: AccountDetails, confirm: () => Promise<void>): Promise<WithdrawalAccount>
  /** Accepts the id of the account or of its member. Throws `NOT_FOUND` if no such account is bound. */
  unbind(id: string, actor: string, within?: WithinTransaction): Promise<{ id: string; memberId: string }>
  /** The bound account of an id or a member. Throws `NOT_FOUND`. */
  boundRef(id: string): Promise<{ id: string; memberId: string }>
  /** The other members who have, or had, the card or address of a member's newest account. */
  sharedWith(memberId: string): Promise<string[]>
  /** The full details, for paying out; the caller writes the row of the act log. */
  showForOffice(accountId: string): Promise<{ memberId: string; details: AccountDetails }>
}

export type WithdrawalAccountsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  vault: Vault
  sealedIndex: SealedIndex
  actLog: ActLog
  messages: Pick<Messages, 'send'>
  withdrawalRests: Pick<WithdrawalRests, 'begin' | 'assertNotRecovered'>
}

const link = 'pages/account/account'

export function createWithdrawalAccounts(parts: WithdrawalAccountsParts): WithdrawalAccounts {
  const { db, clock, vault, actLog, messages } = parts
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
        await actLog.write(tx, {
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
    sharedWith: async (memberId) => {
      const row = await findNewest(db, eq(withdrawalAccount.memberId, memberId))
      return row ? findSharing(parts, memberId, detailsOf(row)) : []
    },
    showForOffice: async (accountId) => {
      const row = await findNewest(
        db,
        or(eq(withdrawalAccount.id, accountId), eq(withdrawalAccount.memberId, accountId)),
      )
      if (!row) throw new ApiError('NOT_FOUND')
      return { memberId: row.memberId, details: detailsOf(row) }
    },
  }
}

async function findNewest(db: Db, which: SQL | undefined): Promise<WithdrawalAccountRow | undefined> {
  const newestFirst = desc(withdrawalAccount.boundAt)
  const rows = await db.select().from(withdrawalAccount).where(which).orderBy(newestFirst).limit(1)
  return rows[0]
}

/** The other members with the same card or address, now or before: a payee of the same name is none. */
async function findSharing(
  { db, sealedIndex }: Pick<WithdrawalAccountsParts, 'db' | 'sealedIndex'>,
  memberId: string,
  details: AccountDetails,
): Promise<string[]> {
  const found = await sealedIndex.find(db, numberOf(details))
  return found
    .filter((match) => match.kind === 'payee' && match.memberId !== memberId)
    .map((match) => match.memberId)
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
      await withdrawalRests.assertNotRecovered(memberId, tx)
      await markBound(tx, memberId, true)
      await withdrawalRests.begin(tx, memberId, 'account_bound')
      // So that the member notices an account that another person added.
      return messages.send(tx, { memberId, key: 'withdrawalAccountBound', params: {}, link })
    })
    notify()
  } catch (error) {
    if (isUniqueViolation(error, 'withdrawal_account_bound')) throw new ApiError('ALREADY_BOUND')
    throw error
  }
  return maskedAccount(id, details, boundAt)
}

/** Of the card, or where the currency goes. */
const numberOf = (details: AccountDetails): string =>
  details.type === 'bank' ? details.cardNumber : details.currencyAddress

const sealedRowOf = (
  { id, memberId }: Pick<WithdrawalAccountRow, 'id' | 'memberId'>,
  details: AccountDetails,
): SealedRow => ({
  id,
  memberId,
  fields: {
    payee: [details.accountName, numberOf(details)],
  },
})

async function markBound(tx: DbTransaction, memberId: string, bound: boolean): Promise<void> {
  await tx.update(member).set({ withdrawalAccountBound: bound }).where(eq(member.id, memberId))
}
