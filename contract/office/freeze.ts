import * as z from 'zod/mini'
import { route, type Route } from '../route.ts'
import { id, plainInstant } from '../schema.ts'
import { freezeReasons } from '../freeze.ts'
import { proposed } from './fourEyes.ts'
import { withId } from './schema.ts'

export const freeze = z.object({
  id,
  memberId: id,
  reason: z.enum(freezeReasons),
  from: plainInstant,
  until: plainInstant,
  renewals: z.int(),
  /** False only where the law forbids it. */
  tellMember: z.boolean(),
  endedAt: z.nullable(plainInstant),
  endedBy: z.nullable(z.string()),
})
export type Freeze = z.infer<typeof freeze>

const answer = z.object({ freeze: z.nullable(freeze), ...proposed })

/** Routes of noun `members`: the one way in which the staff can stop a withdrawal that nothing else stops. */
export const freezeRoutes = {
  freeze: route({
    method: 'POST',
    path: '/members/:id/freeze',
    summary: 'Freeze an account for 14 days: no orders, deposits or withdrawals, and its sessions end once',
    params: withId,
    body: z.strictObject({ reason: z.enum(freezeReasons), tellMember: z._default(z.boolean(), true) }),
    status: 200,
    answer,
  }),
  'renew-freeze': route({
    method: 'POST',
    path: '/members/:id/renew-freeze',
    summary: 'Freeze an account for another 14 days from now on',
    params: withId,
    status: 200,
    answer,
  }),
  unfreeze: route({
    method: 'POST',
    path: '/members/:id/unfreeze',
    summary: 'End the freeze of an account',
    params: withId,
    status: 200,
    answer: z.object({ freeze }),
  }),
} satisfies Record<string, Route>
