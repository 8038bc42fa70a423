import * as z from 'zod/mini'
import { languages } from '../constants.ts'
import { route, type Route } from '../route.ts'
import { fourEyesActs, lastDeclined } from './fourEyes.ts'
import { amount, id, listOf, money, pageQuery, plainInstant, queryInt } from '../schema.ts'

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
export const isQueueName = (name: string): name is QueueName =>
  (queueNames as readonly string[]).includes(name)

/** Who works on an item, and until when only that person can decide it. */
export const claim = z.object({ by: z.string(), until: plainInstant })
export type Claim = z.infer<typeof claim>

/** In which order a queue is listed, after what one has claimed oneself: members in turn, or by age or amount. */
export const queueOrders = ['turn', 'oldest', 'newest', 'largest', 'smallest'] as const
export type QueueOrder = (typeof queueOrders)[number]
/** Which items of a queue: unclaimed ones, the caller's own, or those that another person proposed. */
export const queueParts = ['all', 'free', 'mine', 'second'] as const
export type QueuePart = (typeof queueParts)[number]
/** The longest wait that can be asked for, in minutes: a year. */
const waitMax = 527_040

/** What could be wrong with a request, as a mark in lists and in the act log; the office says it in words. */
export const dangerNames = [
  'frozen',
  'otherPayee',
  'sameCard',
  'freshChange',
  'noProof',
  'usedProof',
  'declined',
] as const
export type DangerName = (typeof dangerNames)[number]

export const queueItem = z.object({
  /** What the calls of the queue's noun take. */
  id,
  no: z.nullable(z.string()),
  memberId: z.nullable(id),
  account: z.nullable(z.string()),
  /** Of the member's app when it was last opened. */
  language: z.nullable(z.enum(languages)),
  amount: z.nullable(money),
  /** The method of a deposit, or the kind of account of a withdrawal. */
  method: z.nullable(z.string()),
  /** Whether a picture came with it: the proof of a deposit, or one in a conversation. */
  hasPicture: z.nullable(z.boolean()),
  /** For a verification: the nationality. */
  country: z.nullable(z.string()),
  /** For a conversation: how many messages are unread, and the beginning of the newest one. */
  unread: z.nullable(z.int()),
  preview: z.nullable(z.string()),
  /** For a proposal: the call that it would make, and with what. */
  act: z.nullable(z.enum(fourEyesActs)),
  params: z.nullable(z.record(z.string(), z.unknown())),
  /** For a payment: who approved the withdrawal. */
  approvedBy: z.nullable(z.string()),
  /** What stands now, and what stood when it was proposed or approved. */
  dangers: z.array(z.enum(dangerNames)),
  secondDeclined: lastDeclined,
  /** For a proposal, and for a request that waits for a second person: who proposed it, and when. */
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
  /** Who claimed how many of them, the most first. */
  holders: z.array(z.object({ by: z.string(), claimed: z.int() })),
})
export type QueueState = z.infer<typeof queueState>

/** Which items, and in which order. */
const wantedItems = {
  order: z._default(z.enum(queueOrders), 'turn'),
  /** Only items of at least this amount. */
  from: z.optional(amount),
  /** Only items that wait at least this many minutes. */
  waited: z.optional(queryInt(0, waitMax)),
  show: z._default(z.enum(queueParts), 'all'),
  /** Only items with or without a picture. */
  picture: z.optional(z.enum(['with', 'without'])),
  method: z.optional(id),
  language: z.optional(z.enum(languages)),
}

/** At most so many ids are left out at once. */
export const exceptMax = 50
const idMax = 64
/** Ids, with commas between. */
const idList = z.pipe(
  z.string().check(z.maxLength(exceptMax * (idMax + 1))),
  z.transform((text) => text.split(',')),
)

/** What a person may have decided on what waits, as the act log calls it. */
export const decidedActs = [
  'approve',
  'reject',
  'pay',
  'propose',
  'confirm',
  'decline',
  'reply',
  'done',
] as const
export type DecidedAct = (typeof decidedActs)[number]

export const decidedItem = z.object({
  /** What the calls of the queue's noun take; for a proposal, of what it is about. */
  subject: z.object({ kind: z.string(), id }),
  act: z.enum(decidedActs),
  at: plainInstant,
  no: z.nullable(z.string()),
  account: z.nullable(z.string()),
  amount: z.nullable(money),
})
export type DecidedItem = z.infer<typeof decidedItem>

const ofQueue = z.object({ id: z.enum(queueNames) })
const item = z.strictObject({ item: id })

/** The queues of a role are those whose items it decides; of the proposals it sees those that it may make itself. */
export const queueRoutes = {
  queues: {
    list: route({
      method: 'GET',
      path: '/queues',
      summary: 'How much waits in each queue; it does not extend the session',
      status: 200,
      answer: z.object({ at: plainInstant, items: z.array(queueState) }),
    }),
    show: route({
      method: 'GET',
      path: '/queues/:id',
      summary: 'List what waits in a queue: your claims first, then members in turn or in another order',
      params: ofQueue,
      query: z.strictObject({
        ...pageQuery,
        ...wantedItems,
        /** Only this item, at any position. */
        item: z.optional(id),
      }),
      status: 200,
      /** The first page says how many there are on all pages. */
      answer: z.extend(listOf(queueItem), { total: z.optional(z.int()) }),
    }),
    next: route({
      method: 'POST',
      path: '/queues/:id/next',
      summary: 'Claim the first unclaimed item, of those and in the order asked for',
      params: ofQueue,
      query: z.strictObject({
        ...wantedItems,
        /** Ids of items that the caller has set aside. */
        except: z.optional(idList),
      }),
      status: 200,
      answer: z.object({ item: z.nullable(queueItem) }),
    }),
    decided: route({
      method: 'GET',
      path: '/queues/:id/decided',
      summary:
        'List what you have decided of a queue since midnight in the venue’s zone, each request once, newest first',
      params: ofQueue,
      query: z.strictObject(pageQuery),
      status: 200,
      /** The first page says how many there are on all pages. */
      answer: z.extend(listOf(decidedItem), { total: z.optional(z.int()) }),
    }),
    claim: route({
      method: 'POST',
      path: '/queues/:id/claim',
      summary: 'Claim an item for ten minutes, or extend your claim',
      params: ofQueue,
      body: item,
      status: 200,
      answer: z.object({ claim }),
    }),
    release: route({
      method: 'POST',
      path: '/queues/:id/release',
      summary: 'Release your claim',
      params: ofQueue,
      body: item,
      status: 200,
      answer: z.object({ released: z.boolean() }),
    }),
  },
} satisfies Record<string, Record<string, Route>>
