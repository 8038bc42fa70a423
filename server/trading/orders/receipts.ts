import { createHmac, hash } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Head, Sha256Hex } from '../../../contract/chain.ts'
import type { Order } from '../../../contract/orders.ts'
import { accountTag, hashOfTerms, type Receipt } from '../../../contract/receipt.ts'
import { createBatchQueue } from '../../platform/batchQueue.ts'
import { deriveKey } from '../../platform/keyDerivation.ts'
import type { OrderRow } from '../schema.ts'
import type { PublicLog } from '../../market/index.ts'
import type { Secrets } from '../../platform/secrets.ts'

export type ReceiptParts = {
  publicLog: Pick<PublicLog, 'signReceipts' | 'signsAs'>
  secrets: Pick<Secrets, 'logKey'>
}

/** A committed order whose receipt is signed. */
export type ReceiptInput = { order: Order; memberId: string; head: Head; origin: string }

export type Receipts = {
  /**
   * The order with its signed receipt, and the salt that shows that its account tag is the member's. The receipt's text is
   * always the same for the same order, on every node; there is none if this node does not have the key that the log of that
   * name signed with.
   */
  sign(input: ReceiptInput): Promise<Order>
  /** The same of a stored order; without a receipt also if there was no log yet when it was placed. */
  signStored(row: OrderRow, order: Order): Promise<Order>
}

type WaitingReceipt = {
  receipt: Receipt
  accept: (signed: string) => void
  reject: (error: unknown) => void
}

/** 16 bytes in hexadecimal. */
const saltDigits = 32
/** The most receipts that share a signature; a path has up to six hashes then. */
const batchMax = 64
/** More terms than products and rates have at one time. */
const termsMax = 1000
const native: Sha256Hex = (text) => hash('sha256', text, 'hex')

/** Signs what the venue has committed: a receipt is made when an order is answered, and stored nowhere. */
export function createReceipts({ publicLog, secrets }: ReceiptParts): Receipts {
  const saltKey = deriveKey(secrets.logKey, 'salt of receipts')
  /** From the order alone, so that it needs no column, and by a key, so that no one else can compute it. */
  const saltOf = (orderId: string): string =>
    createHmac('sha256', saltKey).update(orderId).digest('hex').slice(0, saltDigits)
  const termsHashOf = createTermsHashes()
  const queue = createReceiptQueue(publicLog)
  const sign: Receipts['sign'] = async ({ order, memberId, head, origin }) => {
    if (!publicLog.signsAs(origin)) return order
    const { no, productId, direction, amount, seconds, rateBp, acceptedAt, closeAt } = order
    const receiptSalt = saltOf(order.id)
    const receipt = await queue({
      origin,
      no,
      productId,
      direction,
      amount,
      seconds,
      rateBp,
      terms: termsHashOf(order.terms),
      acceptedAt,
      closeAt,
      head: { seq: head.seq, hash: head.hash },
      account: accountTag(receiptSalt, memberId, native),
    })
    return { ...order, receipt, receiptSalt }
  }
  return {
    sign,
    signStored: async ({ memberId, headSeq, headHash, logOrigin: origin }, order) =>
      headSeq === null || headHash === null || origin === null
        ? order
        : sign({ order, memberId, head: { seq: headSeq, hash: bytesToHex(headHash) }, origin }),
  }
}

/** Receipts that wait together are signed together: those of orders that were committed together, above all. */
function createReceiptQueue(publicLog: ReceiptParts['publicLog']): (receipt: Receipt) => Promise<string> {
  const signAll = (batch: readonly WaitingReceipt[]): void => {
    for (const origin of new Set(batch.map(({ receipt }) => receipt.origin))) {
      const own = batch.filter(({ receipt }) => receipt.origin === origin)
      const signed = publicLog.signReceipts(
        origin,
        own.map(({ receipt }) => receipt),
      )
      for (const [i, { accept }] of own.entries()) accept(signed[i] ?? '')
    }
  }
  const queue = createBatchQueue<WaitingReceipt>(async (batch) => {
    try {
      signAll(batch)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }, batchMax)
  return (receipt) => new Promise((accept, reject) => queue.push({ receipt, accept, reject }))
}

/** Many orders have the same terms: their hash is computed once for each spelling. */
function createTermsHashes(): (terms: Order['terms']) => string {
  const hashes = new Map<string, string>()
  return (terms) => {
    const spelling = JSON.stringify(terms)
    const known = hashes.get(spelling)
    if (known !== undefined) return known
    if (hashes.size >= termsMax) hashes.clear()
    const computed = hashOfTerms(terms, native)
    hashes.set(spelling, computed)
    return computed
  }
}
