import * as z from 'zod/mini'
import { confirmation, hasTransactionConfirmation, transactionConfirmation } from './passkeys.ts'
import { route } from './route.ts'
import { id, line, visibleLine } from './schema.ts'

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

/** A new contact address is a security change: the login password or a passkey confirms it. */
export const profilePatch = z.strictObject({
  ...confirmation,
  nickname: z.optional(visibleLine(24)),
  contactEmail: z.optional(z.nullable(line(254))),
})

/** The name and media type of a member's own data. */
export const archiveName = 'my-data.zip'
export const archiveType = 'application/zip'

export const memberRoutes = {
  me: route({ method: 'GET', path: '/me', summary: 'The member', member: true, status: 200, answer: user }),
  patchMe: route({
    method: 'PATCH',
    path: '/me',
    summary: 'Nickname and contact address',
    member: true,
    unlessFrozen: true,
    body: profilePatch,
    status: 200,
    answer: user,
  }),
  exportData: route({
    method: 'GET',
    path: '/me/export',
    summary: "The member's own data as one ZIP archive, each list as JSON and CSV; one at a time, else 429",
    member: true,
    costly: true,
    media: archiveType,
    status: 200,
    answer: null,
  }),
  closeAccount: route({
    method: 'POST',
    path: '/me/close',
    summary: 'Close the account for good; nothing may be left in it or under way',
    member: true,
    unlessFrozen: true,
    body: z.strictObject(transactionConfirmation).check(hasTransactionConfirmation),
    status: 204,
    answer: null,
  }),
}
