import * as z from 'zod/mini'
import { route, type Route } from '../route.ts'
import { id, listOf, money, pageQuery, plainInstant, visibleText } from '../schema.ts'
import { accountDetails } from '../withdrawals.ts'
import { listQuery, requestKinds, requestStates, withId } from './schema.ts'

/**
 * What happened: the opening of the account, what the member asked for, a login from a new device, a message to the
 * member, and an action of the staff.
 */
export const eventKinds = ['opened', ...requestKinds, 'login', 'notice', 'act'] as const

export const memberEvent = z.object({
  id: z.string(),
  kind: z.enum(eventKinds),
  at: plainInstant,
  no: z.nullable(z.string()),
  amount: z.nullable(money),
  /** For a request, today. */
  status: z.nullable(z.enum([...requestStates, 'verified', 'rejected'])),
  /** Which password, the device of a login, the key of a notice, or the act. */
  what: z.nullable(z.string()),
  /** For an act: its subject. */
  subject: z.nullable(z.object({ kind: z.string(), id: z.string() })),
  /** For an act: who did it. */
  by: z.nullable(z.string()),
  /** For a notice: what its text names; for a declined proposal the reason. */
  params: z.record(z.string(), z.unknown()),
  /** For a notice that the staff wrote. */
  title: z.nullable(z.string()),
})
export type MemberEvent = z.infer<typeof memberEvent>

export const noteMax = 2000
export const memberNote = z.object({ id, at: plainInstant, by: z.string(), body: z.string() })
export type MemberNote = z.infer<typeof memberNote>

/** Routes of noun `members`: who a member is, what happened, and what the staff noted about it. */
export const memberHistoryRoutes = {
  identity: route({
    method: 'GET',
    path: '/members/:id/identity',
    summary:
      'Show ID and withdrawal account of a member, as far as the role may see them; each view is recorded',
    params: withId,
    status: 200,
    answer: z.object({
      /** Null if there is none, or the role does not decide verifications. */
      document: z.nullable(z.object({ number: z.string(), nationality: z.string() })),
      /** Null if there is none, or the role does not see payees. */
      payTo: z.nullable(accountDetails),
    }),
  }),
  timeline: route({
    method: 'GET',
    path: '/members/:id/timeline',
    summary: 'List what happened with a member, newest first; each view is recorded',
    params: withId,
    query: z.strictObject(pageQuery),
    status: 200,
    answer: listOf(memberEvent),
  }),
  notes: route({
    method: 'GET',
    path: '/members/:id/notes',
    summary: 'List what the staff noted about a member, newest first; each view is recorded',
    params: withId,
    query: listQuery,
    status: 200,
    answer: listOf(memberNote),
  }),
  note: route({
    method: 'POST',
    path: '/members/:id/notes',
    summary: 'Note something about a member; members never see it, and nothing changes it',
    params: withId,
    body: z.strictObject({ body: visibleText(noteMax) }),
    status: 201,
    answer: memberNote,
  }),
} satisfies Record<string, Route>
