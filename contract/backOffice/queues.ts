import * as z from 'zod/mini'
import { route } from '../route.ts'
import { fourEyesActs } from './fourEyes.ts'
import type { Route } from '../route.ts'
import { id, listOf, money, pageQuery, plainInstant } from '../schema.ts'

/** What waits for the staff, each in its queue: requests of members, payments to make, threads with unread messages. */
export const queueNames = [
  'deposits',
  'withdrawals',
  'payments',
  'verifications',
  'password-requests',
  'service',
  'proposals',
] as const
export type QueueName = (typeof queueNames)[number]

/** Who works on an item, until when nobody else can decide it. */
export const claim = z.object({ by: z.string(), until: plainInstant })
export type Claim = z.infer<typeof claim>

export const queueItem = z.object({
  /** What the calls of the queue's noun take. */
  id,
  no: z.nullable(z.string()),
  memberId: z.nullable(id),
  account: z.nullable(z.string()),
  amount: z.nullable(money),
  /** Of a proposal: the call that it would make. */
  act: z.nullable(z.enum(fourEyesActs)),
  /** Of a proposal, and of a request that waits for a second person: who proposed it, and when. */
  proposedBy: z.nullable(z.string()),
  proposedAt: z.nullable(plainInstant),
  createdAt: plainInstant,
  claim: z.nullable(claim),
})
export type QueueItem = z.infer<typeof queueItem>

export const queueState = z.object({
  queue: z.enum(queueNames),
  waiting: z.int(),
  oldestAt: z.nullable(plainInstant),
  /** Claimed items, and those of them that the caller claimed. */
  claimed: z.int(),
  mine: z.int(),
})
export type QueueState = z.infer<typeof queueState>

const ofQueue = z.object({ id: z.enum(queueNames) })
const item = z.strictObject({ item: id })

/** The queues of a role are those whose items it decides; of the proposals it sees those that it may make itself. */
export const queueRoutes = {
  queues: {
    list: route({
      method: 'GET',
      path: '/queues',
      summary: 'How much waits in each queue; it does not keep the session alive',
      status: 200,
      answer: z.object({ at: plainInstant, items: z.array(queueState) }),
    }),
    show: route({
      method: 'GET',
      path: '/queues/:id',
      summary: 'List what waits in a queue, oldest first',
      params: ofQueue,
      query: z.strictObject(pageQuery),
      status: 200,
      answer: listOf(queueItem),
    }),
    next: route({
      method: 'POST',
      path: '/queues/:id/next',
      summary: 'Claim the oldest item that nobody holds',
      params: ofQueue,
      status: 200,
      answer: z.object({ item: z.nullable(queueItem) }),
    }),
    claim: route({
      method: 'POST',
      path: '/queues/:id/claim',
      summary: 'Claim an item for ten minutes, or prolong the own claim',
      params: ofQueue,
      body: item,
      status: 200,
      answer: z.object({ claim }),
    }),
    release: route({
      method: 'POST',
      path: '/queues/:id/release',
      summary: 'Give the own claim up',
      params: ofQueue,
      body: item,
      status: 200,
      answer: z.object({ released: z.boolean() }),
    }),
  },
} satisfies Record<string, Record<string, Route>>
