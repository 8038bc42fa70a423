import { subscribeKey } from 'valtio/utils'
import type { Streams } from '../../streams/index.ts'
import { message } from '../../contract/content.ts'
import { setAlarms } from './alarms.ts'
import { createEvidence } from './evidence.ts'
import type { MemberShelfParts } from './memberShelf.ts'
import { createOffline } from './offline.ts'
import { session } from './session.ts'
import { createShelf } from './shelf.ts'

/** What this device keeps for the member who is logged in. */
const parts: MemberShelfParts = {
  shelf: createShelf(),
  memberId: () => (session.token === null ? undefined : session.userInfo?.id),
  now: () => Date.now(),
}
export const offline = createOffline(parts)
export const evidence = createEvidence(parts, setAlarms)

/** Keeps what the venue tells by itself too, and lets go of everything with the session that it belongs to. */
export function followOffline({ orders, event$, clock }: Streams): void {
  orders.event$.subscribe((order) => {
    void offline.keepOrders([order], clock.now())
    void evidence.keepTold(order, clock.now())
  })
  event$('message').subscribe((data) => {
    const told = message.safeParse(data)
    if (told.success) void offline.keepMessages([told.data], clock.now())
  })
  const forget = (): void => {
    void offline.forgetOthers()
    void evidence.tellAlarms()
  }
  subscribeKey(session, 'token', forget)
  subscribeKey(session, 'userInfo', forget)
  forget()
}
