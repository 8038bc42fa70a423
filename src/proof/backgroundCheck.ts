import type { Observable, Subscription } from 'rxjs'
import { isFinal } from '../../contract/orders.ts'
import { minuteMs } from '../../contract/time.ts'
import type { Failure, Order, SeenHead } from '../../streams/index.ts'
import type { Result } from '../api/result.ts'
import { headOfFeed } from '../state/evidence.ts'
import type { Evidence } from '../state/evidence.ts'
import type { DeviceCheck } from './checkOnDevice.ts'
import type { CompleteProof } from './collect.ts'

/** Pause between two orders, so that the member's own calls go first. */
export const betweenOrdersMs = 1000
/** Pause after a failed call, doubled with each further one up to the maximum. */
export const retryMinMs = 5000
export const retryMaxMs = 5 * minuteMs
/** While an order runs, the newest head of its product is stored this often. */
export const headEveryMs = 10_000

export type BackgroundParts = {
  event$: Observable<Order>
  /** Whether the client is connected; true again after each reconnect. */
  up$: Observable<boolean>
  /** The newest closed orders, which are checked if they were closed while the app was not running. */
  closed: () => Promise<Result<readonly Order[]>>
  proof: (orderId: string) => Promise<Result<CompleteProof>>
  check: (proof: CompleteProof) => Promise<DeviceCheck>
  evidence: Pick<Evidence, 'checkedIds' | 'recordCheck' | 'addHeads' | 'runningOrders'>
  seenHeads: (productId: string) => readonly SeenHead[]
  /** Who is logged in; work for another member is dropped. */
  memberId: () => string | undefined
  /** The venue's time; 0 while it is unknown. */
  now: () => number
}

/**
 * Checks each of the member's orders once it is final, and the newest ones that became final while the app was closed,
 * one at a time. A failed call is retried later and never counts against the order: only its evidence does.
 */
export function createBackgroundCheck(parts: BackgroundParts): { close: () => void } {
  const { evidence, memberId } = parts
  const queue = new Map<string, Order>()
  let member = memberId()
  let up = false
  let hasListed = false
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
    const backOff = Math.min(retryMaxMs, retryMinMs * 2 ** (failures - 1))
    schedule(Math.max(backOff, requestedPauseMs(failure)))
  }

  const listClosed = async (): Promise<boolean> => {
    const answer = await parts.closed()
    if (!answer.ok) {
      if (isPermanent(answer.failure)) hasListed = true
      else retryLater(answer.failure)
      return isPermanent(answer.failure)
    }
    const checked = await evidence.checkedIds()
    for (const order of answer.value) if (!checked.has(order.id)) queue.set(order.id, order)
    hasListed = true
    return true
  }

  const checkOne = async (order: Order): Promise<boolean> => {
    if ((await evidence.checkedIds()).has(order.id)) {
      queue.delete(order.id)
      return true
    }
    const proof = await parts.proof(order.id)
    if (!proof.ok && !isPermanent(proof.failure)) {
      retryLater(proof.failure)
      return false
    }
    if (memberId() !== member) return true
    // If the venue rejects the request permanently, the order's own page says why.
    queue.delete(order.id)
    if (!proof.ok) return true
    failures = 0
    const { report } = await parts.check(proof.value)
    if (memberId() === member) await evidence.recordCheck(order, { ok: report.ok, at: parts.now() })
    return true
  }

  const runNext = async (): Promise<void> => {
    rerun = working
    if (working) return
    working = true
    clearTimeout(timer)
    timer = undefined
    try {
      if (member !== memberId()) startOver()
      if (!up || member === undefined) return
      if (!hasListed && !(await listClosed())) return
      const next = newest(queue.values())
      if (next !== undefined && (await checkOne(next)) && queue.size > 0) schedule(betweenOrdersMs)
    } finally {
      working = false
      // A run was requested meanwhile, and this one may have missed its reason.
      if (rerun && timer === undefined) schedule(betweenOrdersMs)
    }
  }
  const startOver = (): void => {
    member = memberId()
    queue.clear()
    hasListed = false
    failures = 0
  }

  const subscriptions: Subscription[] = [
    parts.event$.subscribe((order) => {
      if (!isFinal(order.status)) return
      queue.set(order.id, order)
      // Waits for other orders of the same second; does not shorten a pause after a failure.
      if (timer === undefined && !working) schedule(betweenOrdersMs)
    }),
    parts.up$.subscribe((next) => {
      up = next
      if (!up) return
      hasListed = false
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

const newest = (orders: Iterable<Order>): Order | undefined =>
  [...orders].sort((a, b) => b.closeAt - a.closeAt)[0]

/** The venue rejects the call and would again: it is not repeated before the next connection. */
const isPermanent = (failure: Failure): boolean =>
  failure.kind === 'rejected' && failure.status < 500 && failure.status !== 429

/** The pause that the venue requests. */
function requestedPauseMs(failure: Failure): number {
  const requested = failure.kind === 'rejected' ? failure.params['retryAfterMs'] : undefined
  return typeof requested === 'number' ? requested : 0
}
