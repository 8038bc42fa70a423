import * as z from 'zod/mini'
import { countryCode } from './countries.ts'
import {
  hasAtMostOneTransactionConfirmation,
  hasTransactionConfirmation,
  transactionConfirmation,
} from './passkeys.ts'
import { reviewStatuses } from './reviews.ts'
import { route } from './route.ts'
import { id, instant, listOf, money, pageQuery, visibleLine } from './schema.ts'

/** A bound account as its member sees it: card, address and memo are masked except for their ends. */
export const withdrawalAccount = z.object({
  id,
  type: z.enum(['bank', 'crypto']),
  accountName: z.string(),
  nationality: z.string(),
  bank: z.optional(z.string()),
  cardNumber: z.optional(z.string()),
  accountAddress: z.optional(z.string()),
  currency: z.optional(z.string()),
  currencyAddress: z.optional(z.string()),
  memo: z.optional(z.string()),
  boundAt: instant,
})
export type WithdrawalAccount = z.infer<typeof withdrawalAccount>

/** A field of the account form; blank is "Empty Value". */
const requiredLine = (max: number) => visibleLine(max, 'EMPTY')
const country = countryCode('EMPTY')

const bankDetails = {
  type: z.literal('bank'),
  accountName: requiredLine(60),
  nationality: country,
  bank: requiredLine(80).check(z.regex(/^\P{Cf}*$/u, { error: 'INVALID' })),
  cardNumber: requiredLine(34).check(z.regex(/^[0-9A-Za-z ]{6,34}$/, { error: 'CARD_FORMAT' })),
  accountAddress: requiredLine(200),
}
/**
 * At least 16 numbers or letters; with dots, dashes or underscores, as on TON, Hedera and NEAR, at least 5 characters.
 * A currency may come before a colon.
 */
const addressPattern = /^(?:[0-9A-Za-z:]{16,128}|(?=.*[-_.])[0-9A-Za-z][0-9A-Za-z:._-]{4,127})$/
const cryptoDetails = {
  type: z.literal('crypto'),
  accountName: requiredLine(60),
  nationality: country,
  currency: requiredLine(16),
  currencyAddress: requiredLine(128).check(z.regex(addressPattern, { error: 'INVALID' })),
  /** Memo or tag: whose payment it is, where many share an address. */
  memo: z.optional(requiredLine(120)),
}
/** The full details of an account. */
export const accountDetails = z.discriminatedUnion('type', [
  z.strictObject(bankDetails),
  z.strictObject(cryptoDetails),
])
export type AccountDetails = z.infer<typeof accountDetails>

/** Practice money may be bound to an account without proof. */
export const bindAccount = z.discriminatedUnion('type', [
  z.strictObject({ ...bankDetails, ...transactionConfirmation }).check(hasAtMostOneTransactionConfirmation),
  z.strictObject({ ...cryptoDetails, ...transactionConfirmation }).check(hasAtMostOneTransactionConfirmation),
])

const restCauses = ['password_recovered', 'second_factor', 'account_bound', 'login_denied'] as const
export type WithdrawalRestCause = (typeof restCauses)[number]

/** Withdrawals are refused until `endsAt`. */
export const withdrawalRest = z.object({ endsAt: instant, cause: z.enum(restCauses) })
export type WithdrawalRest = z.infer<typeof withdrawalRest>

/** Deposits that are credited and wait for a second person: their sum, and the member's lowest P&L since the first of them. */
export const awaitingDeposits = z.object({ amount: money, lowestPnl: money })
export type AwaitingDeposits = z.infer<typeof awaitingDeposits>

export const withdrawal = z.object({
  id,
  no: z.string(),
  amount: money,
  account: withdrawalAccount,
  status: z.enum(reviewStatuses),
  reason: z.nullable(z.string()),
  /** The bank's reference of the payment; null until it is paid, and if none was entered. */
  reference: z.nullable(z.string()),
  timeline: z.array(
    z.object({ at: instant, step: z.enum(['requested', 'approved', 'paid', 'refused', 'cancelled']) }),
  ),
  createdAt: instant,
  version: z.int(),
})
export type Withdrawal = z.infer<typeof withdrawal>

export const placeWithdrawal = z
  .strictObject({
    amount: z
      .string({ error: 'EMPTY' })
      .check(
        z.minLength(1, { error: 'EMPTY' }),
        z.regex(/^(0|[1-9]\d{0,12})\.\d{2}$/, { error: 'AMOUNT_FORMAT' }),
      ),
    accountId: z.optional(id),
    ...transactionConfirmation,
  })
  .check(hasTransactionConfirmation)

export const withdrawalRoutes = {
  withdrawalAccount: route({
    method: 'GET',
    path: '/withdrawal-account',
    summary:
      'The bound withdrawal account, until when withdrawals rest, and what of the balance cannot be withdrawn yet',
    member: true,
    status: 200,
    answer: z.object({
      account: z.nullable(withdrawalAccount),
      rest: z.nullable(withdrawalRest),
      awaiting: z.nullable(awaitingDeposits),
    }),
  }),
  bindAccount: route({
    method: 'POST',
    path: '/withdrawal-account',
    summary: 'Bind the withdrawal account, once',
    member: true,
    unlessFrozen: true,
    body: bindAccount,
    status: 201,
    answer: z.object({ account: withdrawalAccount }),
  }),
  placeWithdrawal: route({
    method: 'POST',
    path: '/withdrawals',
    summary: 'Withdraw',
    member: true,
    unlessFrozen: true,
    keyed: true,
    body: placeWithdrawal,
    status: 201,
    answer: withdrawal,
  }),
  withdrawals: route({
    method: 'GET',
    path: '/withdrawals',
    summary: 'Withdrawals, newest first',
    member: true,
    query: z.strictObject(pageQuery),
    status: 200,
    answer: listOf(withdrawal),
  }),
  cancelWithdrawal: route({
    method: 'POST',
    path: '/withdrawals/:id/cancel',
    summary: 'Cancel a withdrawal under review',
    member: true,
    keyed: true,
    params: z.object({ id }),
    status: 200,
    answer: withdrawal,
  }),
}
