import type { Observable, Subscription } from 'rxjs'
import { isFinal } from '../../contract/orders.ts'
import type { Failure, Order, SeenHead } from '../../streams/index.ts'
import type { Result } from '../api/result.ts'
import { headOfFeed } from '../state/evidence.ts'
import type { Evidence } from '../state/evidence.ts'
import type { DeviceCheck } from './checkOnDevice.ts'
import type { CompleteProof } from './collect.ts'

/** Between two orders: a member's own calls go first. */
export const betweenMs = 1000
/** After a failure of the network, doubled with each further one up to the maximum. */
export const retryMinMs = 5000
export const retryMaxMs = 5 * 60_000
/** While an order runs, the newest head of its product is kept this often. */
export const headEveryMs = 10_000

export type BackgroundParts = {
  event$: Observable<Order>
  /** Whether the venue is heard; true once more after each reconnect. */
  up$: Observable<boolean>
  /** The newest closed orders, as many as are checked after the fact. */
  closed: () => Promise<Result<readonly Order[]>>
  proof: (orderId: string) => Promise<Result<CompleteProof>>
  check: (proof: CompleteProof) => Promise<DeviceCheck>
  evidence: Pick<Evidence, 'checkedIds' | 'recordCheck' | 'addHeads' | 'runningOrders'>
  seenHeads: (productId: string) => readonly SeenHead[]
  /** Who is logged in; what was begun for another member is dropped. */
  memberId: () => string | undefined
  /** The venue's time; 0 while it is not known. */
  now: () => number
}

/**
 * Checks every own order by itself once it is final, and the newest ones that became final while the app was closed. One
 * at a time. A call that fails is tried again later and never counts against the order: only its evidence does.
 */
export function createBackgroundCheck(parts: BackgroundParts): { close: () => void } {
  const { evidence, memberId } = parts
  const waiting = new Map<string, Order>()
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
  /** Ends the present turn; the next one comes after a failure's pause, or at once where something else waits. */
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
    for (const order of answer.value) if (!checked.has(order.id)) waiting.set(order.id, order)
    hasListed = true
    return true
  }

  const checkOne = async (order: Order): Promise<boolean> => {
    if ((await evidence.checkedIds()).has(order.id)) {
      waiting.delete(order.id)
      return true
    }
    const proof = await parts.proof(order.id)
    if (!proof.ok && !isPermanent(proof.failure)) {
      retryLater(proof.failure)
      return false
    }
    if (memberId() !== member) return true
    // Told when the venue gives the proof at all; until then the order's own page says why it does not.
    waiting.delete(order.id)
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
      const next = newest(waiting.values())
      if (next !== undefined && (await checkOne(next)) && waiting.size > 0) schedule(betweenMs)
    } finally {
      working = false
      // Something came up meanwhile that this turn may not have seen.
      if (rerun && timer === undefined) schedule(betweenMs)
    }
  }
  const startOver = (): void => {
    member = memberId()
    waiting.clear()
    hasListed = false
    failures = 0
  }

  const subscriptions: Subscription[] = [
    parts.event$.subscribe((order) => {
      if (!isFinal(order.status)) return
      waiting.set(order.id, order)
      // The others of the same second come along; a pause after a failure is not cut short.
      if (timer === undefined && !working) schedule(betweenMs)
    }),
    parts.up$.subscribe((next) => {
      up = next
      if (!up) return
      hasListed = false
      failures = 0
      schedule(betweenMs)
    }),
  ]
  const headTimer = setInterval(() => void saveHeads(parts), headEveryMs)
  return {
    close: () => {
      for (const one of subscriptions) one.unsubscribe()
      clearInterval(headTimer)
      clearTimeout(timer)
    },
  }
}

/** The newest head seen of each product that an order runs on, so that it outlives a reload. */
async function saveHeads({ evidence, seenHeads, now }: BackgroundParts): Promise<void> {
  if (now() === 0) return
  for (const order of await evidence.runningOrders(now())) {
    const newestHead = seenHeads(order.productId).at(-1)
    if (newestHead !== undefined) await evidence.addHeads(order, [headOfFeed(newestHead)])
  }
}

const newest = (orders: Iterable<Order>): Order | undefined =>
  [...orders].sort((a, b) => b.closeAt - a.closeAt)[0]

/** The venue refused, and will do so again: it is not asked any more until the next connection. */
const isPermanent = (failure: Failure): boolean =>
  failure.kind === 'rejected' && failure.status < 500 && failure.status !== 429

/** How long the venue asks to be left alone. */
function requestedPauseMs(failure: Failure): number {
  const requested = failure.kind === 'rejected' ? failure.params['retryAfterMs'] : undefined
  return typeof requested === 'number' ? requested : 0
}
