import { distinctUntilChanged, map } from 'rxjs'
import { orderRoutes } from '../../contract/orders.ts'
import type { Streams } from '../../streams/index.ts'
import { call } from '../api/venue.ts'
import { evidence, offline } from '../state/offlineMember.ts'
import { session } from '../state/session.ts'
import { createBackgroundCheck } from './background.ts'
import { checkHere } from './checkHere.ts'
import { fetchProof } from './fetch.ts'

/** How many of the newest closed orders are checked after the fact. */
const caughtUpMax = 50

/** Has every own order checked in the background, on whatever page the member is. */
export function followProofs({ orders, connection$, clock, seenHeads }: Streams): void {
  createBackgroundCheck({
    event$: orders.event$,
    up$: connection$.pipe(
      map(({ state }) => state === 'online'),
      distinctUntilChanged(),
    ),
    closed: async () => {
      const isStill = offline.forMember()
      const query = { tab: 'closed', limit: String(caughtUpMax) } as const
      const answer = await call(orderRoutes.orders, { query })
      if (!answer.ok) return answer
      if (isStill()) void offline.keepOrders(answer.value.items, answer.at)
      return { ...answer, value: answer.value.items }
    },
    proof: (orderId) => fetchProof(orderId),
    check: (proof) => checkHere(proof, seenHeads),
    evidence,
    seenHeads,
    memberId: () => (session.token === null ? undefined : session.userInfo?.id),
    now: () => clock.now(),
  })
}
