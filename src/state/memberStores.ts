import { subscribeKey } from 'valtio/utils'
import type { Streams } from '../../streams/index.ts'
import { message } from '../../contract/content.ts'
import { setAlarms } from './alarms.ts'
import { createEvidence } from './evidence.ts'
import type { MemberKvStoreParts } from './memberKvStore.ts'
import { createOfflineStore } from './offlineStore.ts'
import { session } from './session.ts'
import { createKvStore } from './kvStore.ts'

/** The stores on this device for the member who is logged in. */
const parts: MemberKvStoreParts = {
  kvStore: createKvStore(),
  memberId: () => (session.token === null ? undefined : session.userInfo?.id),
  now: () => Date.now(),
}
export const offlineStore = createOfflineStore(parts)
export const evidence = createEvidence(parts, setAlarms)

/** Stores live events, and deletes everything when the session that it belongs to ends. */
export function storeLiveEvents({ orders, event$, clock }: Streams): void {
  orders.event$.subscribe((order) => {
    void offlineStore.saveOrders([order], clock.now())
    void evidence.recordOrder(order, clock.now())
  })
  event$('message').subscribe((data) => {
    const parsed = message.safeParse(data)
    // Results come with their hour, in the newest page.
    if (parsed.success && parsed.data.category !== 'trade')
      void offlineStore.saveMessages([parsed.data], clock.now())
  })
  const deleteOthers = (): void => {
    void offlineStore.deleteOtherMembers()
    void evidence.publishAlarms()
  }
  subscribeKey(session, 'token', deleteOthers)
  subscribeKey(session, 'userInfo', deleteOthers)
  deleteOthers()
}
