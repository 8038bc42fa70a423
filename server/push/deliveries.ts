import { and, asc, eq, gt, inArray, lte, min } from 'drizzle-orm'
import type { PushPayload, PushSubscriptionBody } from '../../contract/push.ts'
import { hourMs, minuteMs, secondMs } from '../../contract/time.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { pushDelivery, pushSubscription } from '../db/schema/push.ts'
import type { Clock, Report } from '../ports.ts'
import type { PushKeyStore } from './pushKeys.ts'
import type { PushTransport } from './webPush.ts'

export type DeliveryParts = {
  db: Db
  fence: Fence
  clock: Pick<Clock, 'now'>
  keys: PushKeyStore
  transport: Pick<PushTransport, 'send'>
  contact: string
  unseal: (sessionId: string, sealed: Uint8Array) => PushSubscriptionBody
  report: Report
}

/** How long a push service keeps a notification for a device that is away: a price is soon old. */
export const keepMs = hourMs
/** The waits after the tries that failed; after the last one it is given up. */
export const retryWaitsMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs] as const
/** Sent at the same time. */
const batchMax = 50

type Due = { id: number; sessionId: string; tries: number; payload: PushPayload; sealed: Uint8Array }
type Outcome = 'done' | 'again' | 'gone'

/**
 * Sends the notifications that wait, each at least once while its push service answers. The statement that stores why a
 * notification is sent also stores the notification; it is removed once the service has it.
 */
export function createDeliveries(parts: DeliveryParts) {
  const { db, clock, report } = parts
  /** When the next one may be due. */
  let nextAt = Number.NEGATIVE_INFINITY
  const send = async (due: Due): Promise<Outcome> => {
    try {
      const { keys, transport, contact } = parts
      const subscription = parts.unseal(due.sessionId, due.sealed)
      const status = await transport.send({
        subscription,
        payload: due.payload,
        keys: await keys.get(),
        contact,
        keepMs,
      })
      if (status >= 200 && status < 300) return 'done'
      if (status === 404 || status === 410) return 'gone'
      if (status === 429 || status >= 500) return 'again'
      report('a push service refused a notification', new Error(`HTTP status ${status}`))
      return 'done'
    } catch {
      // No answer: the service, or the way to it, may be back later.
      return 'again'
    }
  }
  const sendDue = async (): Promise<void> => {
    if (clock.now() < nextAt) return
    // Before the read: one may be stored meanwhile.
    nextAt = Number.POSITIVE_INFINITY
    try {
      const isExpired = lte(pushDelivery.expiresAt, clock.now())
      await parts.fence.transaction(db, (tx) => tx.delete(pushDelivery).where(isExpired))
      for (let due = await readDue(db, clock.now()); due.length > 0; due = await readDue(db, clock.now())) {
        const outcomes = await Promise.all(due.map(async (each) => ({ ...each, outcome: await send(each) })))
        await store(parts, outcomes)
      }
      nextAt = Math.min(nextAt, await readNextAt(db))
    } catch (error) {
      nextAt = clock.now()
      throw error
    }
  }
  return {
    /** Call after a notification is stored. */
    onStored: (): void => {
      nextAt = Number.NEGATIVE_INFINITY
    },
    sendDue,
  }
}

async function readDue(db: Db, now: number): Promise<Due[]> {
  const { id, sessionId, tries, payload } = pushDelivery
  return db
    .select({ id, sessionId, tries, payload, sealed: pushSubscription.subscriptionSealed })
    .from(pushDelivery)
    .innerJoin(pushSubscription, eq(pushSubscription.sessionId, sessionId))
    .where(and(lte(pushDelivery.nextAt, now), gt(pushDelivery.expiresAt, now)))
    .orderBy(asc(pushDelivery.nextAt))
    .limit(batchMax)
}

async function readNextAt(db: Db): Promise<number> {
  const [row] = await db.select({ at: min(pushDelivery.nextAt) }).from(pushDelivery)
  return row?.at ?? Number.POSITIVE_INFINITY
}

async function store(
  { db, fence, clock }: DeliveryParts,
  sent: readonly (Due & { outcome: Outcome })[],
): Promise<void> {
  const now = clock.now()
  const isGivenUp = ({ tries }: Due): boolean => tries >= retryWaitsMs.length
  const over = sent.filter((each) => each.outcome === 'done' || (each.outcome === 'again' && isGivenUp(each)))
  const gone = sent.filter(({ outcome }) => outcome === 'gone')
  const again = sent.filter((each) => each.outcome === 'again' && !isGivenUp(each))
  await fence.transaction(db, async (tx) => {
    if (over.length > 0)
      await tx.delete(pushDelivery).where(
        inArray(
          pushDelivery.id,
          over.map(({ id }) => id),
        ),
      )
    // The deliveries to it go with it. A device that has subscribed again meanwhile keeps its new subscription.
    for (const { sessionId, sealed } of gone)
      await tx
        .delete(pushSubscription)
        .where(
          and(eq(pushSubscription.sessionId, sessionId), eq(pushSubscription.subscriptionSealed, sealed)),
        )
    for (const { id, tries } of again)
      await tx
        .update(pushDelivery)
        .set({ tries: tries + 1, nextAt: now + (retryWaitsMs[tries] ?? keepMs) })
        .where(eq(pushDelivery.id, id))
  })
}
