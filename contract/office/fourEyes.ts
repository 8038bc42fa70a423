import * as z from 'zod/mini'
import { route, type Route } from '../route.ts'
import { id, listOf, pageQuery, plainInstant, visibleLine, visibleText } from '../schema.ts'
import { withId } from './schema.ts'

/** The calls that one person proposes and another one decides. */
export const fourEyesActs = [
  'deposits.approve',
  'deposits.reject',
  'withdrawals.approve',
  'withdrawals.reject',
  'withdrawal-accounts.unbind',
  'password-requests.approve',
  'members.freeze',
  'members.renew-freeze',
  'limits.withdrawals',
  'staff.create',
  'staff.role',
  'staff.enrol',
  'staff.disable',
] as const
export type FourEyesAct = (typeof fourEyesActs)[number]

/** Those that change a member's account and are no request of the member. */
export const accountActs = ['withdrawal-accounts.unbind', 'members.freeze', 'members.renew-freeze'] as const

export const proposalStatuses = ['open', 'confirmed', 'declined', 'cancelled'] as const
export type ProposalStatus = (typeof proposalStatuses)[number]

export const proposal = z.object({
  id,
  act: z.enum(fourEyesActs),
  subject: z.object({ kind: z.string(), id: z.string() }),
  memberId: z.nullable(id),
  params: z.record(z.string(), z.unknown()),
  /** What the first person wrote for the second. */
  note: z.nullable(z.string()),
  proposedBy: z.string(),
  proposedAt: plainInstant,
  /** An open proposal counts no longer from here on. */
  expiresAt: plainInstant,
  status: z.enum(proposalStatuses),
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(plainInstant),
  /** Of an open one: no other active person has a role that decides it. */
  nobodyElse: z.optional(z.literal(true)),
  /** Only if it was declined. */
  reason: z.nullable(z.string()),
})
export type Proposal = z.infer<typeof proposal>

/** A proposal that waits, without what it would do in detail. */
export const waitingAct = z.pick(proposal, {
  id: true,
  act: true,
  proposedBy: true,
  proposedAt: true,
  expiresAt: true,
})
export type WaitingAct = z.infer<typeof waitingAct>

/** The longest note. */
export const secondNoteMax = 500
/** What the first person may write for the second. It is kept with the proposal, so it is lost if one person suffices. */
export const forSecond = z.strictObject({ note: z.optional(visibleText(secondNoteMax)) })
const howDeclined = z.pick(proposal, {
  act: true,
  proposedBy: true,
  decidedBy: true,
  decidedAt: true,
  reason: true,
})
export type Declined = z.infer<typeof howDeclined>
/** What was declined last, by whom and why; null if nothing was since it was last confirmed. In lists. */
export const lastDeclined = z.nullable(z.pick(proposal, { act: true, decidedBy: true, reason: true }))
/** How others declined the same, or of a request anything, since it was last confirmed; newest first. */
export const declined = { declined: z.array(howDeclined) }
const howProposed = z.pick(proposal, { proposedBy: true, proposedAt: true })
export type Confirmed = z.infer<typeof howProposed>
/** What became of earlier proposals of the same: also who proposed what another person confirmed last, if anybody did. */
export const proposedBefore = { ...declined, confirmed: z.nullable(howProposed) }

/** In the answer of a call that may need two: the proposal that waits for another person, or null if none does. */
export const proposed = { proposal: z.nullable(proposal) }

export const fourEyesRoutes = {
  proposals: {
    list: route({
      method: 'GET',
      path: '/proposals',
      summary: 'List what one person proposed and another decides, newest first',
      query: z.strictObject({ ...pageQuery, status: z.optional(z.enum(proposalStatuses)) }),
      status: 200,
      answer: listOf(z.object({ ...proposal.shape, ...declined })),
    }),
    confirm: route({
      method: 'POST',
      path: '/proposals/:id/confirm',
      summary: 'Confirm a proposal of another person: it is done now',
      params: withId,
      status: 200,
      answer: z.object({ proposal, result: z.unknown() }),
    }),
    decline: route({
      method: 'POST',
      path: '/proposals/:id/decline',
      summary: 'Decline a proposal of another person',
      params: withId,
      body: z.strictObject({ reason: visibleLine(300) }),
      status: 200,
      answer: z.object({ proposal }),
    }),
    cancel: route({
      method: 'POST',
      path: '/proposals/:id/cancel',
      summary: 'Withdraw your own proposal',
      params: withId,
      status: 200,
      answer: z.object({ proposal }),
    }),
  },
} satisfies Record<string, Record<string, Route>>
