import { subscribeKey } from 'valtio/utils'
import type { Streams } from '../../streams/index.ts'
import { message } from '../../contract/content.ts'
import { setAlarms } from './alarms.ts'
import { createEvidence } from './evidence.ts'
import type { MemberKvStoreParts } from './memberKvStore.ts'
import { createOfflineStore } from './offlineStore.ts'
import { createPlacementStore } from './placementStore.ts'
import { session } from './session.ts'
import { createKvStore } from './kvStore.ts'
import { createToldOrders } from './toldOrders.ts'

/** The stores on this device for the member who is logged in. */
const parts: MemberKvStoreParts = {
  kvStore: createKvStore(),
  memberId: () => (session.token === null ? undefined : session.userInfo?.id),
  now: () => Date.now(),
}
export const offlineStore = createOfflineStore(parts)
export const toldOrders = createToldOrders(parts)
export const placementStore = createPlacementStore(() => session.userInfo?.id)
export const evidence = createEvidence(
  { ...parts, confirmed: (key) => placementStore.load().find((intent) => intent.key === key) },
  setAlarms,
)

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
