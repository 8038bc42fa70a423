import { isFinal } from '../../contract/orders.ts'
import type { Failure, Order } from '../../streams/index.ts'
import type { Result } from '../api/result.ts'
import type { Evidence, EvidenceOrder } from '../state/evidence.ts'
import type { DeviceCheck } from './checkOnDevice.ts'
import type { CompleteProof } from './completeProof.ts'

export type CheckQueueParts = {
  /** The newest closed orders, which are checked if they were closed while the app was not running. */
  closed: () => Promise<Result<readonly Order[]>>
  proof: (orderId: string) => Promise<Result<CompleteProof>>
  check: (proof: CompleteProof) => Promise<DeviceCheck>
  evidence: Pick<Evidence, 'checkedIds' | 'uncheckedOrders' | 'recordCheck'>
  /**
   * Whether this device keeps a receipt of the order, whoever has signed it and be it one that cannot be read; false while no
   * key of the venue is known.
   */
  isReceiptKept: (orderId: string) => Promise<boolean>
  /** Who is logged in; work for another member is dropped. */
  memberId: () => string | undefined
  /** The venue's time; 0 while it is unknown. */
  now: () => number
}

export type CheckQueue = {
  /** Adds an order if it is final; returns whether it is. */
  add: (order: Order) => boolean
  /** The closed orders are fetched again before the next check. */
  listAgain: () => void
  /** Drops everything if another member is logged in; returns whether that is so. */
  followMember: () => boolean
  isEmpty: () => boolean
  /** Checks the newest order. Resolves with a failure if the call is to be repeated later. */
  checkNext: () => Promise<Failure | undefined>
}

/** The current member's orders that are final and not checked yet. */
export function createCheckQueue(parts: CheckQueueParts): CheckQueue {
  const { evidence, memberId } = parts
  const orders = new Map<string, EvidenceOrder>()
  let member = memberId()
  let hasListed = false

  const listClosed = async (): Promise<Failure | undefined> => {
    const answer = await parts.closed()
    if (!answer.ok && !isPermanent(answer.failure)) return answer.failure
    if (answer.ok) {
      const checked = await evidence.checkedIds()
      for (const order of answer.value) if (!checked.has(order.id)) orders.set(order.id, order)
      // What the venue has signed it may not list.
      for (const order of await evidence.uncheckedOrders(parts.now())) orders.set(order.id, order)
    }
    hasListed = true
    return undefined
  }
  const check = async (order: EvidenceOrder): Promise<Failure | undefined> => {
    if ((await evidence.checkedIds()).has(order.id)) {
      orders.delete(order.id)
      return undefined
    }
    const proof = await parts.proof(order.id)
    if (!proof.ok && !isPermanent(proof.failure)) return proof.failure
    if (memberId() !== member) return undefined
    // If the venue rejects the request permanently, the order's own page says why.
    orders.delete(order.id)
    if (!proof.ok) {
      const isDenied = isMissing(proof.failure) && (await parts.isReceiptKept(order.id))
      // The venue denies an order that it gave a receipt of. One that it did not sign raises the alarm too: it sent that itself.
      if (isDenied && memberId() === member) await evidence.recordCheck(order, { ok: false, at: parts.now() })
      return undefined
    }
    const { report } = await parts.check(proof.value)
    if (memberId() === member) await evidence.recordCheck(order, { ok: report.ok, at: parts.now() })
    return undefined
  }
  return {
    add: (order) => {
      if (!isFinal(order.status)) return false
      orders.set(order.id, order)
      return true
    },
    listAgain: () => {
      hasListed = false
    },
    followMember: () => {
      if (member === memberId()) return false
      member = memberId()
      orders.clear()
      hasListed = false
      return true
    },
    isEmpty: () => orders.size === 0,
    checkNext: async () => {
      const failure = hasListed ? undefined : await listClosed()
      if (failure) return failure
      const next = newest(orders.values())
      return next && check(next)
    },
  }
}

const newest = (orders: Iterable<EvidenceOrder>): EvidenceOrder | undefined =>
  [...orders].sort((a, b) => b.closeAt - a.closeAt)[0]

const isMissing = (failure: Failure): boolean => failure.kind === 'rejected' && failure.status === 404

/** The venue rejects the call and would again: it is not repeated before the next connection. */
const isPermanent = (failure: Failure): boolean =>
  failure.kind === 'rejected' && failure.status < 500 && failure.status !== 429
