import * as z from 'zod/mini'
import { route } from './route.ts'
import { amount, id, instant, listOf, money, pageQuery, text } from './schema.ts'

export const reviewStatuses = ['under_review', 'successful', 'failed'] as const
export type ReviewStatus = (typeof reviewStatuses)[number]

export const depositMethod = z.object({
  id,
  kind: z.enum(['bank', 'crypto', 'practice']),
  currency: z.string(),
  instructions: z.record(z.string(), z.string()),
  min: money,
  max: money,
})
export type DepositMethod = z.infer<typeof depositMethod>

export const deposit = z.object({
  id,
  no: z.string(),
  amount: money,
  methodId: id,
  status: z.enum(reviewStatuses),
  reason: z.nullable(z.string()),
  createdAt: instant,
  decidedAt: z.nullable(instant),
  version: z.int(),
})
export type Deposit = z.infer<typeof deposit>

export const placeDeposit = z.strictObject({
  methodId: z.string({ error: 'REQUIRED' }).check(z.minLength(1, { error: 'REQUIRED' }), z.maxLength(64)),
  amount,
  proofUploadId: z.optional(id),
})

/** A bound account as its member sees it: card and address are masked except for their ends. */
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
  boundAt: instant,
})
export type WithdrawalAccount = z.infer<typeof withdrawalAccount>

/** A field of the account form; blank is "Empty Value". */
const requiredText = (max: number) =>
  z
    .string({ error: 'EMPTY' })
    .check(z.trim(), z.minLength(1, { error: 'EMPTY' }), z.maxLength(max, { error: 'TOO_LONG' }))
const country = requiredText(2).check(z.regex(/^[A-Z]{2}$/, { error: 'INVALID' }))

export const bindAccount = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('bank'),
    accountName: requiredText(60),
    nationality: country,
    bank: requiredText(80),
    cardNumber: requiredText(34).check(z.regex(/^[0-9A-Za-z ]{6,34}$/, { error: 'CARD_FORMAT' })),
    accountAddress: requiredText(200),
  }),
  z.strictObject({
    type: z.literal('crypto'),
    accountName: requiredText(60),
    nationality: country,
    currency: requiredText(16),
    currencyAddress: requiredText(128).check(z.regex(/^[0-9A-Za-z:]{16,128}$/, { error: 'INVALID' })),
  }),
])
export type BindAccount = z.infer<typeof bindAccount>

export const withdrawal = z.object({
  id,
  no: z.string(),
  amount: money,
  account: withdrawalAccount,
  status: z.enum(reviewStatuses),
  reason: z.nullable(z.string()),
  timeline: z.array(z.object({ at: instant, step: z.enum(['requested', 'paid', 'refused', 'cancelled']) })),
  createdAt: instant,
  version: z.int(),
})
export type Withdrawal = z.infer<typeof withdrawal>

export const placeWithdrawal = z.strictObject({
  amount: z
    .string({ error: 'EMPTY' })
    .check(
      z.minLength(1, { error: 'EMPTY' }),
      z.regex(/^(0|[1-9]\d{0,12})\.\d{2}$/, { error: 'AMOUNT_FORMAT' }),
    ),
  accountId: z.optional(id),
  transactionPassword: requiredText(64),
})

export const uploadPurposes = ['id_front', 'id_back', 'deposit_proof', 'service'] as const
export type UploadPurpose = (typeof uploadPurposes)[number]
export const uploadMaxBytes = 10 * 1024 * 1024

export const verificationStatuses = ['none', 'under_review', 'verified', 'rejected'] as const
export const verification = z.object({
  status: z.enum(verificationStatuses),
  reason: z.nullable(z.string()),
  submittedAt: z.nullable(instant),
  decidedAt: z.nullable(instant),
  version: z.int(),
})
export type Verification = z.infer<typeof verification>

const requiredField = (max: number) => text(max).check(z.minLength(1, { error: 'REQUIRED' }))
const photo = z
  .string({ error: 'PHOTO_REQUIRED' })
  .check(z.minLength(1, { error: 'PHOTO_REQUIRED' }), z.maxLength(64))

/** Name and number are validated by nationality (rules.ts) once the shape is valid. */
export const submitVerification = z.strictObject({
  name: requiredField(60),
  idNumber: requiredField(30),
  nationality: requiredField(2).check(z.regex(/^[A-Z]{2}$/, { error: 'INVALID' })),
  frontUploadId: photo,
  backUploadId: photo,
})

/** Limits that members set for themselves; null is none. */
export const selfLimitFieldSchemas = {
  maxStake: z.nullable(amount),
  maxDailyLoss: z.nullable(amount),
  maxDailyDeposit: z.nullable(amount),
  excludedUntil: z.nullable(instant),
}
export const selfLimitFields = ['maxStake', 'maxDailyLoss', 'maxDailyDeposit', 'excludedUntil'] as const
export type SelfLimitField = (typeof selfLimitFields)[number]
export const selfLimits = z.object({
  active: z.object(selfLimitFieldSchemas),
  pending: z.array(
    z.object({
      field: z.enum(selfLimitFields),
      value: z.nullable(z.union([money, instant])),
      effectiveAt: instant,
    }),
  ),
})
export type SelfLimits = z.infer<typeof selfLimits>
export const putSelfLimitsBody = z.strictObject(selfLimitFieldSchemas)

export const walletRoutes = {
  depositMethods: route({
    method: 'GET',
    path: '/deposit-methods',
    summary: 'Ways to deposit',
    member: true,
    status: 200,
    answer: z.array(depositMethod),
  }),
  placeDeposit: route({
    method: 'POST',
    path: '/deposits',
    summary: 'Deposit',
    member: true,
    keyed: true,
    body: placeDeposit,
    status: 201,
    answer: deposit,
  }),
  deposits: route({
    method: 'GET',
    path: '/deposits',
    summary: 'Deposits, newest first',
    member: true,
    query: z.strictObject(pageQuery),
    status: 200,
    answer: listOf(deposit),
  }),
  withdrawalAccount: route({
    method: 'GET',
    path: '/withdrawal-account',
    summary: 'The bound withdrawal account',
    member: true,
    status: 200,
    answer: z.object({ account: z.nullable(withdrawalAccount) }),
  }),
  bindAccount: route({
    method: 'POST',
    path: '/withdrawal-account',
    summary: 'Bind the withdrawal account, once',
    member: true,
    body: bindAccount,
    status: 201,
    answer: z.object({ account: withdrawalAccount }),
  }),
  placeWithdrawal: route({
    method: 'POST',
    path: '/withdrawals',
    summary: 'Withdraw',
    member: true,
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
  /** Sent as multipart/form-data: one file, and `purpose`. */
  upload: route({
    method: 'POST',
    path: '/uploads',
    summary: 'Send a picture (multipart: one file, `purpose`)',
    member: true,
    status: 201,
    answer: z.object({ uploadId: id }),
  }),
  /** Answers with the picture's bytes. */
  viewUpload: route({
    method: 'GET',
    path: '/uploads/:id',
    summary: "One of the member's own pictures, except photos of identity papers",
    member: true,
    params: z.object({ id }),
    status: 200,
    answer: null,
  }),
  verification: route({
    method: 'GET',
    path: '/verification',
    summary: 'Real-name verification',
    member: true,
    status: 200,
    answer: verification,
  }),
  submitVerification: route({
    method: 'POST',
    path: '/verification',
    summary: 'Submit real-name verification',
    member: true,
    body: submitVerification,
    status: 201,
    answer: z.object({ status: z.literal('under_review'), submittedAt: instant }),
  }),
  limits: route({
    method: 'GET',
    path: '/me/limits',
    summary: "The member's own limits",
    member: true,
    status: 200,
    answer: selfLimits,
  }),
  putLimits: route({
    method: 'PUT',
    path: '/me/limits',
    summary: "Set the member's own limits",
    member: true,
    body: putSelfLimitsBody,
    status: 200,
    answer: selfLimits,
  }),
}
