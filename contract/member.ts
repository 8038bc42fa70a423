import * as z from 'zod/mini'
import { route } from './route.ts'
import { id, line, queryInstant, visibleLine } from './schema.ts'

export const user = z.object({
  id,
  account: z.string(),
  nickname: z.string(),
  phoneMasked: z.string(),
  contactEmail: z.nullable(z.string()),
  level: z.int().check(z.gte(1), z.lte(5)),
  creditScore: z.int(),
  verification: z.enum(['none', 'under_review', 'verified', 'rejected']),
  openingCode: z.string(),
  hasWithdrawalAccount: z.boolean(),
})
export type User = z.infer<typeof user>

export const profilePatch = z.strictObject({
  nickname: z.optional(visibleLine(24)),
  contactEmail: z.optional(z.nullable(line(254))),
})

export const memberRoutes = {
  me: route({ method: 'GET', path: '/me', summary: 'The member', member: true, status: 200, answer: user }),
  patchMe: route({
    method: 'PATCH',
    path: '/me',
    summary: 'Nickname and contact address',
    member: true,
    body: profilePatch,
    status: 200,
    answer: user,
  }),
  exportData: route({
    method: 'GET',
    path: '/me/export',
    summary:
      'Own data as one ZIP archive: profile, orders, ledger, transfers, messages, log-ins, each as JSON and CSV; a year at most, the last one if `from` and `to` are left out; one at a time, else 429',
    member: true,
    costly: true,
    query: z.strictObject({ from: queryInstant, to: queryInstant }),
    media: 'application/zip',
    status: 200,
    answer: null,
  }),
}
