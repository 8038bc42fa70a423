import type { Order } from '../../contract/orders.ts'
import { parseSignedReceipt } from '../../contract/signedReceipt.ts'

/** An answer without what may differ when it is sent again: the batch that the receipt of its order is signed with. */
export function withoutBatch(answer: string): string {
  const body = JSON.parse(answer) as Partial<Order>
  return body.receipt === undefined
    ? answer
    : JSON.stringify({ ...body, receipt: parseSignedReceipt(body.receipt)?.text })
}
