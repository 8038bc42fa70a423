import type { Observable, Subscription } from 'rxjs'
import { backoffMs } from '../../contract/backoff.ts'
import { minuteMs } from '../../contract/time.ts'
import { retryAfterMsOf } from '../api/result.ts'
import type { Failure, Order, SeenHead } from '../../streams/index.ts'
import { headOfFeed, type Evidence } from '../state/evidence.ts'
import { createCheckQueue, type CheckQueueParts } from './checkQueue.ts'

/** Pause between two orders, so that the member's own calls go first. */
export const betweenOrdersMs = 1000
/** Pause after a failed call, doubled with each further one up to the maximum. */
export const retryMinMs = 5000
export const retryMaxMs = 5 * minuteMs
/** While an order runs, the newest head of its product is stored this often. */
export const headEveryMs = 10_000

export type BackgroundParts = CheckQueueParts & {
  event$: Observable<Order>
  /** Whether the client is connected; true again after each reconnect. */
  up$: Observable<boolean>
  evidence: Pick<Evidence, 'addHeads' | 'runningOrders'>
  seenHeads: (productId: string) => readonly SeenHead[]
}

/**
 * Checks each of the member's orders once it is final, and the newest ones that became final while the app was closed,
 * one at a time. A failed call is retried later and never counts against the order: only its evidence does.
 */
export function createBackgroundCheck(parts: BackgroundParts): { close: () => void } {
  const queue = createCheckQueue(parts)
  let up = false
  let failures = 0
  let working = false
  let rerun = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const schedule = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void runNext(), ms)
  }
  /** Schedules the next run after a failure's pause. */
  const retryLater = (failure: Failure): void => {
    failures += 1
    schedule(Math.max(backoffMs(failures, retryMinMs, retryMaxMs), retryAfterMsOf(failure) ?? 0))
  }
  const checkNext = async (): Promise<void> => {
    if (queue.followMember()) failures = 0
    if (!up || parts.memberId() === undefined) return
    const failure = await queue.checkNext()
    if (failure) return retryLater(failure)
    failures = 0
    if (!queue.isEmpty()) schedule(betweenOrdersMs)
  }
  const runNext = async (): Promise<void> => {
    rerun = working
    if (working) return
    working = true
    clearTimeout(timer)
    timer = undefined
    try {
      await checkNext()
    } finally {
      working = false
      // A run was requested meanwhile, and this one may have missed its reason.
      if (rerun && timer === undefined) schedule(betweenOrdersMs)
    }
  }

  const subscriptions: Subscription[] = [
    parts.event$.subscribe((order) => {
      // Waits for other orders of the same second; does not shorten a pause after a failure.
      if (queue.add(order) && timer === undefined && !working) schedule(betweenOrdersMs)
    }),
    parts.up$.subscribe((next) => {
      up = next
      if (!up) return
      queue.listAgain()
      failures = 0
      schedule(betweenOrdersMs)
    }),
  ]
  const headTimer = setInterval(() => void saveHeads(parts), headEveryMs)
  return {
    close: () => {
      for (const subscription of subscriptions) subscription.unsubscribe()
      clearInterval(headTimer)
      clearTimeout(timer)
    },
  }
}

/** Stores the newest head of each product with a running order, so that it survives a reload. */
async function saveHeads({ evidence, seenHeads, now }: BackgroundParts): Promise<void> {
  if (now() === 0) return
  for (const order of await evidence.runningOrders(now())) {
    const newestHead = seenHeads(order.productId).at(-1)
    if (newestHead !== undefined) await evidence.addHeads(order, [headOfFeed(newestHead)])
  }
}
