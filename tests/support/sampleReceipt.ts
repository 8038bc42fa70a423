import { accountTag, hashOfTerms, type Receipt } from '../../contract/receipt.ts'
import type { Order } from '../../contract/orders.ts'
import type { LogSigner } from '../../server/market/publicLog/signer.ts'
import type { CompleteProof } from '../../src/proof/completeProof.ts'
import { origin, signer } from './sampleLog.ts'
import { acceptedAt, headAt, log, sampleProof } from './sampleProof.ts'

export const account = { memberId: 'anna', salt: '00112233445566778899aabbccddeeff' }

/** What the venue signs of an order on the sample log. */
export const receiptOf = (order: Order): Receipt => ({
  origin,
  no: order.no,
  productId: order.productId,
  direction: order.direction,
  amount: order.amount,
  seconds: order.seconds,
  rateBp: order.rateBp,
  terms: hashOfTerms(order.terms),
  acceptedAt: order.acceptedAt,
  closeAt: order.closeAt,
  head: headAt(log.findLastIndex(([, at]) => at <= acceptedAt) + 1),
  account: accountTag(account.salt, account.memberId),
})

/** A receipt as the venue signs it: in a batch of three. */
export function signed(receipt: Receipt, by: LogSigner = signer): string {
  const [before, after] = ['before', 'after'].map((no) => ({ ...receipt, no }))
  return by.signReceipts(receipt.origin, [before!, receipt, after!])[1]!
}

/** The sample proof with its receipt. */
export function signedProof(
  part: Partial<Order> = {},
  by: LogSigner = signer,
): CompleteProof & { receipt: string } {
  const proof = sampleProof(part)
  return { ...proof, receipt: signed(receiptOf(proof.order), by) }
}
