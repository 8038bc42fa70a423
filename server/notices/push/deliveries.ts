import { and, asc, eq, gt, inArray, lte, min, sql } from 'drizzle-orm'
import { setTimeout as wait } from 'node:timers/promises'
import type { PushPayload, PushSubscriptionBody } from '../../../contract/push.ts'
import { retention } from '../../../contract/retention.ts'
import { minuteMs, secondMs } from '../../../contract/time.ts'
import { createBatchQueue } from '../../platform/batchQueue.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { pushDelivery, pushSubscription } from '../schema.ts'
import type { Clock, Report } from '../../platform/ports.ts'
import { TaskTracker } from '../../platform/taskTracker.ts'
import type { PushKeyStore } from './pushKeys.ts'
import { createSendingLimits } from './sendingLimits.ts'
import type { PushTransport } from './webPush.ts'

export type DeliveryParts = {
  db: Db
  fence: Fence
  clock: Pick<Clock, 'now'>
  keys: PushKeyStore
  transport: Pick<PushTransport, 'allows' | 'send'>
  contact: string
  unseal: (sessionId: string, sealed: Uint8Array) => PushSubscriptionBody
  report: Report
}

/** How long a push service keeps a notification for a device that is away: a price is soon old. */
export const keepMs = retention.notifications.ms
/** The waits after the tries that failed; after the last one it is given up. */
export const retryWaitsMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs] as const
/** Read at once: of each member so many, and of all. */
const turnsMax = 20
const readMax = 1000
/** Outcomes that one transaction stores at most. */
const storeMax = 50
/** How long a stop waits for requests; what is not answered by then is sent again after the next start. */
const stopWaitMs = 2 * secondMs

type Due = {
  id: number
  sessionId: string
  memberId: string
  tries: number
  payload: PushPayload
  sealed: Uint8Array
}
/** For a notification that is due, where it goes. */
type Ready = Due & { subscription: PushSubscriptionBody; host: string }
/** `late`: its push service is paused until `nextAt`; it was not tried. */
type Outcome = { kind: 'done' | 'again' | 'gone' } | { kind: 'late'; nextAt: number }
type Sent = Due & { outcome: Outcome; onStored: () => void }

/**
 * Sends the notifications that wait, each at least once while its push service answers. The statement that stores why a
 * notification is sent also stores the notification; it is removed once the service has it. Members take turns, and none
 * waits for another one's push service.
 */
export function createDeliveries(parts: DeliveryParts) {
  const { db, clock } = parts
  /** When the next one may be due. */
  let nextAt = Number.NEGATIVE_INFINITY
  const readAgain = (): void => {
    nextAt = Number.NEGATIVE_INFINITY
  }
  const sender = createSender(parts, readAgain)
  const sendDue = async (): Promise<void> => {
    if (clock.now() < nextAt) return
    // Before the read: one may be stored meanwhile.
    nextAt = Number.POSITIVE_INFINITY
    try {
      const isExpired = lte(pushDelivery.expiresAt, clock.now())
      await parts.fence.transaction(db, (tx) => tx.delete(pushDelivery).where(isExpired))
      await sender.replaceWaiting(() => readDue(db, clock.now()))
      nextAt = Math.min(nextAt, await readNextAt(db))
    } catch (error) {
      readAgain()
      throw error
    }
  }
  return { /** Call after a notification is stored. */ onStored: readAgain, sendDue, stop: sender.stop }
}

/** @param onStored called after it is stored what became of some */
function createSender(parts: DeliveryParts, onStored: () => void) {
  const { clock } = parts
  let isStopped = false
  /** Those that were read and are not sent yet, in the order of their turns. */
  let waiting: Ready[] = []
  const limits = createSendingLimits(clock)
  /** Those whose outcome is not stored yet. */
  const pending = new Set<number>()
  const requests = new TaskTracker()

  const end = createOutcomes(parts, pending, () => {
    onStored()
    sendWaiting()
  })
  const sendOne = async (ready: Ready): Promise<void> => {
    const endRequest = limits.begin(ready)
    const { outcome, isAnswered } = await send(parts, ready)
    endRequest(isAnswered)
    if (!isStopped) await end(ready, outcome)
  }
  /** @returns what is to become of it now, or null if it keeps its turn */
  const begin = (ready: Ready): Promise<void> | null => {
    const restsUntil = limits.restsUntil(ready.host)
    if (restsUntil > clock.now()) return end(ready, { kind: 'late', nextAt: restsUntil })
    return limits.mayBegin(ready) ? sendOne(ready) : null
  }
  const sendWaiting = (): void => {
    if (isStopped) return
    waiting = waiting.filter((ready) => {
      const begun = begin(ready)
      if (begun === null) return true
      pending.add(ready.id)
      void requests.add(begun)
      return false
    })
  }
  return {
    replaceWaiting: async (read: () => Promise<Due[]>): Promise<void> => {
      limits.forgetOld()
      // What is stored during the read may be in it: it must not be sent again. So nothing new begins meanwhile.
      waiting = []
      const before = new Set(pending)
      for (const due of await read()) {
        if (before.has(due.id) || isStopped) continue
        const ready = toReady(parts, due)
        if (ready !== null) waiting.push(ready)
        else {
          // For a service that the operator has removed, or sealed with another key.
          pending.add(due.id)
          void requests.add(end(due, { kind: 'gone' }))
        }
      }
      sendWaiting()
    },
    /** Waits for the requests in flight, if they are answered soon. */
    stop: async (): Promise<void> => {
      waiting = []
      await Promise.race([requests.idle(), wait(stopWaitMs, undefined, { ref: false })])
      isStopped = true
    },
  }
}

/**
 * Stores what becomes of notifications, those that wait together in one transaction.
 * @returns resolves once it is stored
 */
function createOutcomes(parts: DeliveryParts, pending: Set<number>, onStored: () => void) {
  const queue = createBatchQueue<Sent>(async (batch) => {
    try {
      await store(parts, batch)
    } catch (error) {
      parts.report('storing what became of notifications failed', error)
    }
    for (const sent of batch) {
      pending.delete(sent.id)
      sent.onStored()
    }
    onStored()
  }, storeMax)
  return (due: Due, outcome: Outcome): Promise<void> =>
    new Promise((resolve) => queue.push({ ...due, outcome, onStored: resolve }))
}

/** @returns null if the venue cannot send to the subscription */
function toReady({ unseal, transport, report }: DeliveryParts, due: Due): Ready | null {
  try {
    const subscription = unseal(due.sessionId, due.sealed)
    const { endpoint } = subscription
    return transport.allows(endpoint) ? { ...due, subscription, host: new URL(endpoint).hostname } : null
  } catch (error) {
    report('a subscription to notifications cannot be read', error)
    return null
  }
}

/** @returns what becomes of the notification, and whether its push service answered */
async function send(
  { keys, transport, contact, report }: DeliveryParts,
  { subscription, payload }: Ready,
): Promise<{ outcome: Outcome; isAnswered: boolean }> {
  try {
    const status = await transport.send({ subscription, payload, keys: await keys.get(), contact, keepMs })
    return { outcome: { kind: outcomeOf(status, report) }, isAnswered: true }
  } catch {
    // No answer: the service, or the way to it, may be back later.
    return { outcome: { kind: 'again' }, isAnswered: false }
  }
}

function outcomeOf(status: number, report: Report): 'done' | 'again' | 'gone' {
  if (status >= 200 && status < 300) return 'done'
  if (status === 404 || status === 410) return 'gone'
  if (status === 429 || status >= 500) return 'again'
  report('a push service refused a notification', new Error(`HTTP status ${status}`))
  return 'done'
}

/** Those that are due, in the order of their turns: of each member the first, then of each the second, and so on. */
async function readDue(db: Db, now: number): Promise<Due[]> {
  const { id, sessionId, tries, payload, nextAt, expiresAt } = pushDelivery
  const { memberId, subscriptionSealed } = pushSubscription
  const turn = sql<number>`row_number() OVER (PARTITION BY ${memberId} ORDER BY ${nextAt}, ${id})`
  const due = db
    .select({ id, sessionId, memberId, tries, payload, nextAt, turn: turn.as('turn') })
    .from(pushDelivery)
    .innerJoin(pushSubscription, eq(pushSubscription.sessionId, sessionId))
    .where(and(lte(nextAt, now), gt(expiresAt, now)))
    .as('due')
  return db
    .select({
      id: due.id,
      sessionId: due.sessionId,
      memberId: due.memberId,
      tries: due.tries,
      payload: due.payload,
      sealed: subscriptionSealed,
    })
    .from(due)
    .innerJoin(pushSubscription, eq(pushSubscription.sessionId, due.sessionId))
    .where(lte(due.turn, turnsMax))
    .orderBy(asc(due.turn), asc(due.nextAt), asc(due.id))
    .limit(readMax)
}

async function readNextAt(db: Db): Promise<number> {
  const [row] = await db.select({ at: min(pushDelivery.nextAt) }).from(pushDelivery)
  return row?.at ?? Number.POSITIVE_INFINITY
}

async function store({ db, fence, clock }: DeliveryParts, sent: readonly Sent[]): Promise<void> {
  const now = clock.now()
  const isOver = ({ outcome, tries }: Sent): boolean =>
    outcome.kind === 'done' || (outcome.kind === 'again' && tries >= retryWaitsMs.length)
  const over = sent.filter(isOver).map(({ id }) => id)
  await fence.transaction(db, async (tx) => {
    if (over.length > 0) await tx.delete(pushDelivery).where(inArray(pushDelivery.id, over))
    for (const each of sent) {
      const { id, tries, outcome, sessionId, sealed } = each
      const isSame = eq(pushDelivery.id, id)
      // The deliveries to it go with it. A device that has subscribed again meanwhile keeps its new subscription.
      if (outcome.kind === 'gone')
        await tx
          .delete(pushSubscription)
          .where(
            and(eq(pushSubscription.sessionId, sessionId), eq(pushSubscription.subscriptionSealed, sealed)),
          )
      else if (outcome.kind === 'late')
        await tx.update(pushDelivery).set({ nextAt: outcome.nextAt }).where(isSame)
      else if (outcome.kind === 'again' && !isOver(each))
        await tx
          .update(pushDelivery)
          .set({ tries: tries + 1, nextAt: now + (retryWaitsMs[tries] ?? keepMs) })
          .where(isSame)
    }
  })
}
