import * as z from 'zod/mini'
import { reviewStatuses } from './reviews.ts'
import { route } from './route.ts'
import { amount, id, instant, listOf, money, pageQuery } from './schema.ts'

export const depositMethod = z.object({
  id,
  kind: z.enum(['bank', 'crypto', 'practice']),
  /** Whether customer service decides on each deposit; otherwise it is credited at once. */
  reviewed: z.boolean(),
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
  /** Credited, and withdrawable once a second person of the venue has confirmed it. */
  awaitsSecondPerson: z.boolean(),
  /** What was taken back of it if it was rejected after its credit, at most what was available; otherwise null. */
  reversed: z.nullable(money),
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

export const depositRoutes = {
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
    unlessFrozen: true,
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
}
