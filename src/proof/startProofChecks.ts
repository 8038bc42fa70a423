import { distinctUntilChanged, map } from 'rxjs'
import { orderRoutes } from '../../contract/orders.ts'
import type { Streams } from '../../streams/index.ts'
import type { Client } from '../api/client.ts'
import { evidence, offlineStore } from '../state/memberStores.ts'
import { session } from '../state/session.ts'
import { createBackgroundCheck } from './backgroundCheck.ts'
import { checkOnDevice } from './checkOnDevice.ts'
import { fetchProof } from './fetchProof.ts'
import { isReceiptKept } from './keptReceipt.ts'
import { startLogWatch } from './startLogWatch.ts'

/** How many of the newest closed orders are checked after a connect. */
const catchUpMax = 50

/** Starts checking each of the member's orders, and the public log, in the background, on every page. */
export function startProofChecks({ orders, connection$, clock, seenHeads }: Streams, call: Client): void {
  const up$ = connection$.pipe(
    map(({ state }) => state === 'online'),
    distinctUntilChanged(),
  )
  startLogWatch(up$)
  createBackgroundCheck({
    event$: orders.event$,
    up$,
    closed: async () => {
      const isSameMember = offlineStore.memberGuard()
      const query = { tab: 'closed', limit: String(catchUpMax) } as const
      const answer = await call(orderRoutes.orders, { query })
      if (!answer.ok) return answer
      if (isSameMember()) void offlineStore.saveOrders(answer.value.items, answer.at)
      return { ...answer, value: answer.value.items }
    },
    proof: (orderId) => fetchProof(call, orderId),
    check: (proof) => checkOnDevice(proof, seenHeads),
    evidence,
    isReceiptKept,
    seenHeads,
    memberId: () => (session.token === null ? undefined : session.userInfo?.id),
    now: () => clock.now(),
  })
}
