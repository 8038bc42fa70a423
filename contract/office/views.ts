import * as z from 'zod/mini'
import { languages } from '../constants.ts'
import { serviceMessage } from '../content.ts'
import { waitingAct } from './fourEyes.ts'
import { freeze } from './freeze.ts'
import { datedChanges, otherMembers } from './memberFacts.ts'
import { productStatuses } from '../products.ts'
import { id, money, plainInstant, productId } from '../schema.ts'
import { assets } from '../ledger.ts'
import { passwordProofs, passwordRequest } from '../auth.ts'
import { user } from '../member.ts'
import { feedStatuses } from '../socket.ts'
import { selfLimits } from '../selfLimits.ts'
import { accountDetails, withdrawal } from '../withdrawals.ts'
import { deposit } from '../deposits.ts'
import { reviewStatuses } from '../reviews.ts'
import { verification } from '../verification.ts'

/*
 * What the office sees: a member's own views and what customer service needs in addition. Lists and actions return
 * nothing that is encrypted in the database; showing a single item does, and each such view is a row of the act log.
 */

const nullable = {
  text: z.nullable(z.string()),
  instant: z.nullable(plainInstant),
  id: z.nullable(id),
  language: z.nullable(z.enum(languages)),
}
const decisionFields = { memberId: id, decidedAt: nullable.instant, decidedBy: nullable.text }

export const officeDeposit = z.object({
  ...deposit.shape,
  ...decisionFields,
  proofUploadId: nullable.id,
  /** By the second person, if it took two. */
  confirmedAt: nullable.instant,
  confirmedBy: nullable.text,
})
/** What the member asked for within a day of a request, with it and without what was refused. */
const inDay = z.object({ count: z.int(), amount: money })
/** With the other deposits whose proof is the same picture. */
export const depositDetail = z.object({
  ...officeDeposit.shape,
  inDay,
  sameProof: z.array(
    z.object({
      id,
      no: z.string(),
      memberId: id,
      account: z.string(),
      status: z.enum(reviewStatuses),
      createdAt: plainInstant,
    }),
  ),
})
/** Identifies the account without its details, which only the detail view of a withdrawal returns. */
const accountReference = z.pick(withdrawal.shape.account, { id: true, type: true })
export const officeWithdrawal = z.object({
  ...withdrawal.shape,
  ...decisionFields,
  account: accountReference,
  approvedAt: nullable.instant,
  approvedBy: nullable.text,
})
/**
 * With the payee, the member's verified name to compare the payee with, whether the two are one spelling, and the security
 * changes after which it is the first withdrawal.
 */
export const withdrawalDetail = z.object({
  ...officeWithdrawal.shape,
  inDay,
  payTo: accountDetails,
  verifiedName: nullable.text,
  nameMatches: z.boolean(),
  freshChanges: datedChanges,
})
export const officeVerification = z.object({
  ...verification.shape,
  ...decisionFields,
  id,
  status: z.enum(['under_review', 'verified', 'rejected']),
  nationality: z.string(),
  frontUploadId: id,
  backUploadId: id,
  /** When the photos of a rejected submission were removed; null while they can be viewed. */
  photosRemovedAt: nullable.instant,
  submittedAt: plainInstant,
})
export const verificationDetail = z.object({
  ...officeVerification.shape,
  name: z.string(),
  idNumber: z.string(),
  /** Who the member was when last verified, if that was revoked; `differs` if the name or the number is another now. */
  before: z.nullable(
    z.object({
      name: z.string(),
      idNumber: z.string(),
      revokedBy: z.nullable(z.string()),
      differs: z.boolean(),
    }),
  ),
  /** Other members with the same number. */
  sameNumber: otherMembers,
})
export const officePasswordRequest = z.object({
  ...decisionFields,
  id,
  kind: passwordRequest.shape.kind,
  /** Whether the member forgot the old password. An approval then issues a link instead of changing it. */
  recovery: z.boolean(),
  /** What the member gave; null for a recovery. */
  provenBy: z.nullable(z.enum(passwordProofs)),
  status: z.enum(reviewStatuses),
  reason: nullable.text,
  createdAt: plainInstant,
  version: z.int(),
})
/**
 * The answer to an approval: of a recovery with the link, which is shown this once. If two persons approve, the first one gets
 * a code instead, and the link needs it: so neither of them has all that sets the password.
 */
export const approvedPasswordRequest = z.object({
  ...officePasswordRequest.shape,
  firstCode: z.optional(z.string()),
  link: z.optional(z.string()),
  linkExpiresAt: z.optional(plainInstant),
})
/** A member without the contact address, which only the detail view returns. */
export const officeMember = z.object({
  ...z.omit(user, { contactEmail: true }).shape,
  createdAt: plainInstant,
  /** When the member closed the account. */
  closedAt: nullable.instant,
})
export type OfficeMember = z.infer<typeof officeMember>
/** What a member may not do at present: anything; withdraw, after a security change; or trade, by the member's own wish. */
export const memberMarks = ['frozen', 'closed', 'rests', 'excluded'] as const
export type MemberMark = (typeof memberMarks)[number]
export const listedMember = z.object({ ...officeMember.shape, marks: z.array(z.enum(memberMarks)) })
export const memberDetail = z.object({
  ...officeMember.shape,
  contactEmail: user.shape.contactEmail,
  /** The verified name; null if there is none. */
  name: nullable.text,
  /** Null once the account is closed. */
  phone: nullable.text,
  openedWith: z.string(),
  /** Of the app when the member last opened it. */
  language: nullable.language,
  /** The language of the newest words in the conversation, if their script gives it away. */
  writesIn: nullable.language,
  assets,
  /** Set by the member alone. */
  limits: selfLimits,
  frozen: z.nullable(freeze),
  /** Whether freezing the account, renewing that and removing the withdrawal account take two persons. */
  takesTwo: z.boolean(),
  /** What of these is proposed and waits for another person, the oldest first. */
  proposals: z.array(waitingAct),
})
/** A code that opens accounts: at most `uses`, or any number if null; `opened` counts those opened so far. */
export const issuedCode = z.object({
  code: z.string(),
  issuedAt: plainInstant,
  issuedBy: z.string(),
  uses: z.nullable(z.int()),
  opened: z.int(),
  revokedAt: nullable.instant,
  revokedBy: nullable.text,
})
export type IssuedCode = z.infer<typeof issuedCode>
export const officeProduct = z.object({
  id: productId,
  code: z.string(),
  status: z.enum(productStatuses),
  opensAt: nullable.instant,
  closesAt: nullable.instant,
  lastAt: plainInstant,
  feed: z.enum(feedStatuses),
  /** The stakes of each duration. */
  stakes: z.array(z.object({ seconds: z.int(), min: money, max: money })),
})
export type OfficeProduct = z.infer<typeof officeProduct>
/** A thread described by its newest message, without the text. */
export const serviceThread = z.object({
  id,
  memberId: id,
  account: z.string(),
  at: plainInstant,
  from: serviceMessage.shape.from,
  uploadId: nullable.id,
  unread: z.int(),
})
export const actLogEntry = z.object({
  id,
  at: plainInstant,
  actor: z.string(),
  act: z.string(),
  /** With the number, account or name by which screens show it; null if it has none. */
  subject: z.object({ kind: z.string(), id: z.string(), name: nullable.text }),
  memberId: nullable.id,
  account: nullable.text,
  /** For a deposit, withdrawal or order, or a proposal about one. */
  amount: z.nullable(money),
  details: z.record(z.string(), z.unknown()),
})
/** The venue's clock, and the business calendar, which may be ahead of it. */
export const officeClock = z.object({
  now: plainInstant,
  businessNow: plainInstant,
  businessOn: z.string(),
  businessOffsetMs: z.int(),
  zone: z.string(),
})
export type OfficeClock = z.infer<typeof officeClock>
