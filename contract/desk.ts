import * as z from 'zod/mini'
import { languages } from './constants.ts'
import { article, serviceMessage } from './content.ts'
import * as views from './deskViews.ts'
import { route } from './route.ts'
import type { Route } from './route.ts'
import { id, instant, listOf, pageQuery, productId, text } from './schema.ts'
import { user } from './session.ts'
import { reviewStatuses } from './wallet.ts'

/*
 * The desk: customer service's calls, below `/desk`. One table that the venue mounts and the command line speaks, by
 * noun and verb. What is not in it cannot be done from the desk.
 */

const withId = z.object({ id })
const filled = (max: number) =>
  text(max).check(z.trim(), z.minLength(1, { error: 'REQUIRED' }), z.maxLength(max, { error: 'TOO_LONG' }))

/** What a person at the desk is called in the audit; travels in the header `Desk-Actor`, URI-encoded. */
export const actorName = filled(40)

const page = z.strictObject(pageQuery)
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

/** A Markdown file of 20,000 characters with its front matter. */
const publishFile = z.strictObject({ file: z.string().check(z.minLength(1), z.maxLength(24_000)) })
const published = (path: '/news' | '/highlights', summary: string) => ({
  publish: route({ method: 'POST', path, summary, body: publishFile, status: 201, answer: article }),
})

export const deskRoutes = {
  codes: {
    list: route({
      method: 'GET',
      path: '/codes',
      summary: 'List account-opening codes of the desk, newest first',
      query: page,
      status: 200,
      answer: listOf(views.issuedCode),
    }),
    issue: route({
      method: 'POST',
      path: '/codes',
      summary: 'Issue a code that opens accounts',
      body: z.strictObject({ uses: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))) }),
      status: 201,
      answer: views.issuedCode,
    }),
  },
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
  members: {
    list: route({
      method: 'GET',
      path: '/members',
      summary: 'List members, newest first',
      query: z.strictObject({ ...pageQuery, account: z.optional(z.string().check(z.maxLength(64))) }),
      status: 200,
      answer: listOf(views.deskMember),
    }),
    show: route({
      method: 'GET',
      path: '/members/:id',
      summary: 'Show a member with phone number and assets; each look is recorded',
      params: withId,
      status: 200,
      answer: views.shownMember,
    }),
    level: route({
      method: 'POST',
      path: '/members/:id/level',
      summary: 'Set the level that is shown; it affects nothing else',
      params: withId,
      body: z.strictObject({ level: user.shape.level }),
      status: 200,
      answer: views.deskMember,
    }),
    credit: route({
      method: 'POST',
      path: '/members/:id/credit',
      summary: 'Set the credit score that is shown; it affects nothing else',
      params: withId,
      body: z.strictObject({ creditScore: z.int().check(z.gte(0), z.lte(1000)) }),
      status: 200,
      answer: views.deskMember,
    }),
  },
  products: {
    list: route({
      method: 'GET',
      path: '/products',
      summary: 'List products and how their feeds are',
      query: page,
      status: 200,
      answer: listOf(views.deskProduct),
    }),
    maintenance: route({
      method: 'POST',
      path: '/products/:id/maintenance',
      summary: 'Stop new orders of a product; its prices and accepted orders run on',
      params: z.object({ id: productId }),
      body: z.strictObject({ opensAt: z.optional(z.nullable(instant)) }),
      status: 200,
      answer: views.deskProduct,
    }),
    open: route({
      method: 'POST',
      path: '/products/:id/open',
      summary: 'End the maintenance of a product',
      params: z.object({ id: productId }),
      status: 200,
      answer: views.deskProduct,
    }),
  },
  news: published('/news', 'Publish a news item from a Markdown file with front matter (lang, title, id)'),
  highlights: published('/highlights', 'Publish a highlight from a Markdown file with front matter'),
  messages: {
    send: route({
      method: 'POST',
      path: '/messages',
      summary: 'Send a system message to a member, or to all',
      body: z.strictObject({
        to: id,
        title: filled(200),
        body: filled(4000),
        lang: z.optional(z.enum(languages)),
        link: z.optional(text(200).check(z.regex(/^pages\/[\w/?=&.-]+$/, { error: 'INVALID' }))),
      }),
      status: 201,
      answer: z.object({ sent: z.int() }),
    }),
  },
  service: {
    list: route({
      method: 'GET',
      path: '/service',
      summary: 'List threads with members, the one with the newest message first',
      query: page,
      status: 200,
      answer: listOf(views.serviceThread),
    }),
    show: route({
      method: 'GET',
      path: '/service/:id',
      summary: "Show a member's thread, newest first",
      params: withId,
      query: page,
      status: 200,
      answer: listOf(serviceMessage),
    }),
    reply: route({
      method: 'POST',
      path: '/service/:id',
      summary: 'Reply to a member',
      params: withId,
      body: z.strictObject({ body: filled(4000) }),
      status: 201,
      answer: serviceMessage,
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
  audit: {
    list: route({
      method: 'GET',
      path: '/audit',
      summary: 'List what was done from the desk, newest first',
      query: z.strictObject({
        ...pageQuery,
        kind: z.optional(z.string().check(z.maxLength(40))),
        id: z.optional(id),
      }),
      status: 200,
      answer: listOf(views.auditEntry),
    }),
  },
  clock: {
    show: route({
      method: 'GET',
      path: '/clock',
      summary: "Show the venue's clock and the business calendar",
      status: 200,
      answer: views.deskClock,
    }),
    advance: route({
      method: 'POST',
      path: '/clock/advance',
      summary: 'Move the business calendar on (practice only); it cannot be moved back',
      body: z.strictObject({ ms: z.int().check(z.positive()) }),
      status: 200,
      answer: views.deskClock,
    }),
  },
} satisfies Record<string, Record<string, Route>>
