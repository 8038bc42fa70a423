import * as z from 'zod/mini'
import { fund } from '../fund.ts'
import { ledgerEntry, ledgerQuery } from '../ledger.ts'
import { user } from '../member.ts'
import { order, orderStatuses, ordersQuery, proof } from '../orders.ts'
import { route, type Route } from '../route.ts'
import { id, listOf, plainInstant, visibleLine } from '../schema.ts'
import { queueNames } from './queues.ts'
import { requestStates, withId } from './schema.ts'

/** For a member: frozen, closed, or else the verification. */
const foundStatuses = [
  'frozen',
  'closed',
  ...user.shape.verification.options,
  ...requestStates,
  ...orderStatuses,
] as const

/** What was found, and by what. */
export const found = z.object({
  kind: z.enum(['member', 'order', 'deposit', 'withdrawal']),
  id,
  no: z.nullable(z.string()),
  memberId: id,
  account: z.string(),
  /** The verified name; null if there is none, or so many members were found that a search would list their names. */
  name: z.nullable(z.string()),
  status: z.enum(foundStatuses),
  /** For a member: what waits in the queues of the role. */
  waiting: z.array(z.object({ queue: z.enum(queueNames), id, no: z.nullable(z.string()) })),
  by: z.enum(['id', 'account', 'phone', 'name', 'idNumber', 'payee', 'number', 'reference']),
})
export type Found = z.infer<typeof found>

export const memberSessionView = z.object({
  id,
  device: z.string(),
  ip: z.string(),
  createdAt: plainInstant,
  lastSeenAt: plainInstant,
})

/** Routes of noun `members` about one member's record; each view is recorded. */
export const memberRecordRoutes = {
  orders: route({
    method: 'GET',
    path: '/members/:id/orders',
    summary: "List a member's orders, newest first; each view is recorded",
    params: withId,
    query: ordersQuery,
    status: 200,
    answer: listOf(order),
  }),
  ledger: route({
    method: 'GET',
    path: '/members/:id/ledger',
    summary: "List a member's capital record, newest first; each view is recorded",
    params: withId,
    query: ledgerQuery,
    status: 200,
    answer: listOf(ledgerEntry),
  }),
  fund: route({
    method: 'GET',
    path: '/members/:id/fund',
    summary: "Show a member's balance fund; each view is recorded",
    params: withId,
    status: 200,
    answer: fund,
  }),
  sessions: route({
    method: 'GET',
    path: '/members/:id/sessions',
    summary: "List a member's devices; each view is recorded",
    params: withId,
    status: 200,
    answer: z.object({ items: z.array(memberSessionView) }),
  }),
  'end-sessions': route({
    method: 'POST',
    path: '/members/:id/end-sessions',
    summary: 'End all sessions of a member at once',
    params: withId,
    status: 200,
    answer: z.object({ ended: z.int() }),
  }),
} satisfies Record<string, Route>

/** Finding a member or a request, and one order with its proof. */
export const lookupRoutes = {
  search: {
    find: route({
      // What is searched for is personal, and an address is written into logs.
      method: 'POST',
      path: '/search',
      summary:
        'Find by a part of an account, name or number, or a whole phone, ID, payee or bank reference; each search is recorded',
      body: z.strictObject({ q: visibleLine(80) }),
      status: 200,
      answer: z.object({ items: z.array(found) }),
    }),
  },
  orders: {
    show: route({
      method: 'GET',
      path: '/orders/:id',
      summary: 'Show an order by its id or number; each view is recorded',
      params: withId,
      status: 200,
      answer: z.object({ order, memberId: id, account: z.string() }),
    }),
    proof: route({
      method: 'GET',
      path: '/orders/:id/proof',
      summary: 'The proof of an order; each view is recorded',
      params: withId,
      status: 200,
      answer: proof,
    }),
  },
} satisfies Record<string, Record<string, Route>>
