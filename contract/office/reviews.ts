import * as z from 'zod/mini'
import { route, type Route } from '../route.ts'
import { id, listOf, money, pageQuery, visibleLine } from '../schema.ts'
import { reviewStatuses } from '../reviews.ts'
import { forSecond, lastDeclined, proposed, proposedBefore } from './fourEyes.ts'
import { withId } from './schema.ts'
import * as views from './views.ts'

const rejectBody = z.strictObject({ reason: visibleLine(300) })
type ReviewAnswers<L, S, Q, A> = { listed: L; shown: S; approved: A; status: Q; isLogged?: boolean }

/** The routes of something that members request and the office decides once. */
const reviewRoutesOf = <
  const P extends string,
  L extends z.ZodMiniType,
  S extends z.ZodMiniType,
  Q extends z.ZodMiniType,
  A extends z.ZodMiniType,
>(
  path: P,
  what: string,
  { listed, shown, approved, status, isLogged = false }: ReviewAnswers<L, S, Q, A>,
) => ({
  list: route({
    method: 'GET',
    path,
    summary: `List ${what}, newest first`,
    query: z.strictObject({ ...pageQuery, status: z.optional(status), memberId: z.optional(id) }),
    status: 200,
    answer: listOf(listed),
  }),
  show: route({
    method: 'GET',
    path: `${path}/:id`,
    summary: isLogged ? 'Show one with personal data; each view is recorded' : 'Show one',
    params: withId,
    status: 200,
    answer: shown,
  }),
  approve: route({
    method: 'POST',
    path: `${path}/:id/approve`,
    summary: 'Approve',
    params: withId,
    status: 200,
    answer: approved,
  }),
  reject: route({
    method: 'POST',
    path: `${path}/:id/reject`,
    summary: 'Reject, with a reason that the member sees',
    params: withId,
    body: rejectBody,
    status: 200,
    answer: listed,
  }),
})

/** What is seen of a request that may take two: the proposal, and whether the caller's approval would be one. */
const ofTwo = { ...proposed, ...proposedBefore, takesTwo: z.boolean() }

/** What the caller has decided alone, by the rule that says when two decide. */
const ofSum = z.object({
  /** In the last 24 hours, without this request: of its member, and in all. */
  ofMember: money,
  inAll: money,
  /** What the caller proposed to a second person, of all members: it counts in neither. */
  waiting: z.object({ count: z.int(), amount: money }),
  /** Above these, two decide. */
  above: money,
  aboveInAll: money,
  /**
   * `above` or, from 80 %, `near`: the amount with what the caller decided alone; for the second person without it. `day`: what
   * the member asked for within a day is near.
   */
  state: z.enum(['below', 'day', 'near', 'above']),
  /** Which of the two sums is nearer to its amount. */
  nearer: z.enum(['ofMember', 'inAll']),
})
export type DecidedAlone = z.infer<typeof ofSum>

const deposits = reviewRoutesOf('/deposits', 'deposits', {
  /** In lists also how the second approval was refused last. */
  listed: z.object({ ...views.officeDeposit.shape, secondDeclined: z.optional(lastDeclined) }),
  shown: z.object({ ...views.depositDetail.shape, ...ofTwo, alone: ofSum }),
  approved: z.object({ ...views.officeDeposit.shape, ...proposed }),
  status: z.enum(reviewStatuses),
  isLogged: true,
})
const withdrawals = reviewRoutesOf('/withdrawals', 'withdrawals', {
  listed: views.officeWithdrawal,
  shown: z.object({ ...views.withdrawalDetail.shape, ...ofTwo, alone: ofSum }),
  approved: z.object({ ...views.officeWithdrawal.shape, ...proposed }),
  status: z.enum(reviewStatuses),
  isLogged: true,
})
const passwordRequests = reviewRoutesOf('/password-requests', 'requests for new passwords', {
  listed: views.officePasswordRequest,
  shown: z.object({ ...views.officePasswordRequest.shape, ...ofTwo }),
  approved: z.object({ ...views.approvedPasswordRequest.shape, ...proposed }),
  status: z.enum(reviewStatuses),
  isLogged: true,
})

/** What members request and the office decides, and the pictures needed to decide. */
export const reviewRoutes = {
  deposits: {
    ...deposits,
    approve: { ...deposits.approve, body: forSecond },
    /** Of a credited one that waits for a second person, it takes two. */
    reject: { ...deposits.reject, answer: deposits.approve.answer },
  },
  withdrawals: {
    ...withdrawals,
    approve: { ...withdrawals.approve, body: forSecond },
    /** Of an approved one, it takes two if two approved it, or if its amount does. */
    reject: { ...withdrawals.reject, answer: withdrawals.approve.answer },
    pay: route({
      method: 'POST',
      path: '/withdrawals/:id/pay',
      summary: 'Record that an approved withdrawal was paid, with the reference of the bank',
      params: withId,
      /** `sharedTransfer`: one transfer paid this withdrawal and another one, which has the same reference. */
      body: z.strictObject({ reference: visibleLine(80), sharedTransfer: z._default(z.boolean(), false) }),
      status: 200,
      answer: views.officeWithdrawal,
    }),
  },
  verifications: {
    ...reviewRoutesOf('/verifications', 'submissions for real-name verification', {
      listed: views.officeVerification,
      shown: views.verificationDetail,
      approved: views.officeVerification,
      status: views.officeVerification.shape.status,
      isLogged: true,
    }),
    revoke: route({
      method: 'POST',
      path: '/verifications/:id/revoke',
      summary: 'Revoke a verification, with a reason that the member sees',
      params: withId,
      body: rejectBody,
      status: 200,
      answer: views.officeVerification,
    }),
  },
  'password-requests': {
    ...passwordRequests,
    approve: {
      ...passwordRequests.approve,
      /** `called`: the member answered at the registered number. Required of a forgotten one, and part of what is proposed. */
      body: z.strictObject({ ...forSecond.shape, called: z.optional(z.literal(true)) }),
    },
  },
  'withdrawal-accounts': {
    unbind: route({
      method: 'POST',
      path: '/withdrawal-accounts/:id/unbind',
      summary: 'Remove a withdrawal account, so that the member can add another',
      params: withId,
      status: 200,
      answer: z.object({ id, memberId: id, ...proposed }),
    }),
  },
  /** Pictures of a verification, a deposit or a thread; each view is recorded. Not a CLI noun: see `--photos`. */
  uploads: {
    show: route({
      method: 'GET',
      path: '/uploads/:id',
      summary: "A member's picture",
      params: withId,
      status: 200,
      answer: null,
    }),
  },
} satisfies Record<string, Record<string, Route>>
