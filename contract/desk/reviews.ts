import * as z from 'zod/mini'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { id, listOf, pageQuery } from '../schema.ts'
import { reviewStatuses } from '../wallet.ts'
import { filled, withId } from './parts.ts'
import * as views from './views.ts'

const reasoned = z.strictObject({ reason: filled(300) })

/** The calls of something that members ask for and the desk decides, once. */
const reviewed = <
  const P extends string,
  L extends z.ZodMiniType,
  S extends z.ZodMiniType,
  Q extends z.ZodMiniType,
>(
  path: P,
  what: string,
  { listed, shown, status, looks = false }: { listed: L; shown: S; status: Q; looks?: boolean },
) => ({
  list: route({
    method: 'GET',
    path,
    summary: `List ${what}, newest first`,
    query: z.strictObject({ ...pageQuery, status: z.optional(status) }),
    status: 200,
    answer: listOf(listed),
  }),
  show: route({
    method: 'GET',
    path: `${path}/:id`,
    summary: looks ? 'Show one with what is personal; each look is recorded' : 'Show one',
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
    answer: listed,
  }),
  reject: route({
    method: 'POST',
    path: `${path}/:id/reject`,
    summary: 'Reject, with a reason that the member sees',
    params: withId,
    body: reasoned,
    status: 200,
    answer: listed,
  }),
})

/** What members ask for and the desk decides, and the pictures that it decides by. */
export const reviewRoutes = {
  deposits: reviewed('/deposits', 'deposits', {
    listed: views.deskDeposit,
    shown: views.deskDeposit,
    status: z.enum(reviewStatuses),
  }),
  withdrawals: reviewed('/withdrawals', 'withdrawals', {
    listed: views.deskWithdrawal,
    shown: views.shownWithdrawal,
    status: z.enum(reviewStatuses),
    looks: true,
  }),
  verifications: reviewed('/verifications', 'submissions for real-name verification', {
    listed: views.deskVerification,
    shown: views.shownVerification,
    status: views.deskVerification.shape.status,
    looks: true,
  }),
  'password-requests': reviewed('/password-requests', 'requests for new passwords', {
    listed: views.deskPasswordRequest,
    shown: views.deskPasswordRequest,
    status: z.enum(reviewStatuses),
  }),
  'withdrawal-accounts': {
    unbind: route({
      method: 'POST',
      path: '/withdrawal-accounts/:id/unbind',
      summary: 'Unbind a withdrawal account, so that the member can bind another',
      params: withId,
      status: 200,
      answer: z.object({ id, memberId: id }),
    }),
  },
  /** Pictures of a verification, a deposit or a thread; each look is recorded. Not a noun of its own: see `--photos`. */
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
