import * as z from 'zod/mini'
import { route, type Route } from '../route.ts'
import { listOf, pageQuery } from '../schema.ts'
import { user } from '../member.ts'
import { listQuery, withId } from './schema.ts'
import { freezeRoutes } from './freeze.ts'
import { memberHistoryRoutes } from './memberHistory.ts'
import { memberFactsRoutes } from './memberFacts.ts'
import { memberRecordRoutes } from './memberRecord.ts'
import * as views from './views.ts'

/** Who may open an account, and who has one. */
export const memberRoutes = {
  codes: {
    list: route({
      method: 'GET',
      path: '/codes',
      summary: 'List account-opening codes of the office, newest first',
      query: listQuery,
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
    revoke: route({
      method: 'POST',
      path: '/codes/:id/revoke',
      summary: 'Revoke a code: it opens no further account',
      params: withId,
      status: 200,
      answer: views.issuedCode,
    }),
  },
  members: {
    list: route({
      method: 'GET',
      path: '/members',
      summary: 'List members, newest first; each page is recorded',
      query: z.strictObject({
        ...pageQuery,
        account: z.optional(z.string().check(z.maxLength(64))),
        /** Only those with this mark. */
        mark: z.optional(z.enum(views.memberMarks)),
      }),
      status: 200,
      answer: listOf(views.listedMember),
    }),
    show: route({
      method: 'GET',
      path: '/members/:id',
      summary: 'Show a member with phone number and assets; each view is recorded',
      params: withId,
      status: 200,
      answer: views.memberDetail,
    }),
    level: route({
      method: 'POST',
      path: '/members/:id/level',
      summary: 'Set the level that is shown; it affects nothing else',
      params: withId,
      body: z.strictObject({ level: user.shape.level }),
      status: 200,
      answer: views.officeMember,
    }),
    credit: route({
      method: 'POST',
      path: '/members/:id/credit',
      summary: 'Set the credit score that is shown; it affects nothing else',
      params: withId,
      body: z.strictObject({ creditScore: z.int().check(z.gte(0), z.lte(1000)) }),
      status: 200,
      answer: views.officeMember,
    }),
    ...memberFactsRoutes,
    ...memberRecordRoutes,
    ...memberHistoryRoutes,
    ...freezeRoutes,
  },
} satisfies Record<string, Record<string, Route>>
