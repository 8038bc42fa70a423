import * as z from 'zod/mini'
import { languages } from '../constants.ts'
import { assets } from '../ledger.ts'
import { route, type Route } from '../route.ts'
import { id, money, plainInstant } from '../schema.ts'
import { user } from '../member.ts'
import { waitingAct } from './fourEyes.ts'
import { freeze } from './freeze.ts'
import { memberNote } from './memberHistory.ts'
import { queueNames } from './queues.ts'
import { requestStates, withId } from './schema.ts'

/** Security changes that an attacker with access to the account could have made. The phone number never changes. */
export const securityChanges = [
  'verified_name',
  'login_password',
  'transaction_password',
  'second_factor',
  'withdrawal_account',
  'new_device',
  'login_denied',
] as const
export type SecurityChange = (typeof securityChanges)[number]

/** The newest of each kind, newest first. The first withdrawal account of a member is no change. */
export const datedChanges = z.array(z.object({ what: z.enum(securityChanges), at: plainInstant }))
const sum = z.object({ count: z.int(), amount: money })
/** With the verified names, if they have one and are few. */
export const otherMembers = z.array(z.object({ id, account: z.string(), name: z.nullable(z.string()) }))

/** What decides a request of a member, whatever it asks for. */
export const memberFacts = z.object({
  id,
  account: z.string(),
  createdAt: plainInstant,
  closedAt: z.nullable(plainInstant),
  /** Null unless verified. */
  verifiedName: z.nullable(z.string()),
  /** Null once the account is closed. */
  phone: z.nullable(z.string()),
  assets,
  /** Credited, credited but awaiting a second person, paid out, and asked for but not paid yet. */
  deposited: sum,
  awaiting: sum,
  withdrawn: sum,
  owed: sum,
  lastPaidAt: z.nullable(plainInstant),
  /** When the present withdrawal account was bound. */
  boundAt: z.nullable(plainInstant),
  changes: datedChanges,
  frozen: z.nullable(freeze),
  /** What is proposed about the member: to freeze the account, or to unbind the withdrawal account. */
  proposals: z.array(waitingAct),
  /** Withdrawals are refused until then. */
  restsUntil: z.nullable(plainInstant),
  /** No orders until then: the member's own wish. */
  excludedUntil: z.nullable(plainInstant),
  /** Other members with the same card or address, now or before. */
  sameCard: otherMembers,
  /** Other members who are logged in from the same address with the same kind of device. */
  sameDevice: otherMembers,
  /** What the staff noted last, and how many notes there are. */
  latestNote: z.nullable(memberNote),
  noteCount: z.int(),
  /** The language of the newest words in the conversation, if their script gives it away. */
  writesIn: z.nullable(z.enum(languages)),
  verification: user.shape.verification,
  /** What the staff have not decided or paid yet, of what the role may list; the oldest first. */
  waiting: z.array(
    z.object({ queue: z.enum(queueNames), id, no: z.nullable(z.string()), createdAt: plainInstant }),
  ),
  /** The newest deposits and withdrawals. */
  recent: z.array(
    z.object({
      kind: z.enum(['deposit', 'withdrawal']),
      id,
      no: z.string(),
      amount: money,
      status: z.enum(requestStates),
      createdAt: plainInstant,
    }),
  ),
})
export type MemberFacts = z.infer<typeof memberFacts>

/** Route of noun `members`. */
export const memberFactsRoutes = {
  facts: route({
    method: 'GET',
    path: '/members/:id/facts',
    summary:
      'What decides a request of a member: sums, security changes, pauses, duplicates and the latest note; each view is recorded',
    params: withId,
    status: 200,
    answer: memberFacts,
  }),
} satisfies Record<string, Route>
