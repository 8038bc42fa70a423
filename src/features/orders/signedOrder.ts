import { useEffect, useState } from 'react'
import { fieldsNotSigned, type Receipt, type SignedField } from '../../../contract/receipt.ts'
import { parseSignedReceipt } from '../../../contract/signedReceipt.ts'
import type { Order } from '../../../streams/index.ts'
import { keptReceipt, type KeptReceipt } from '../../proof/keptReceipt.ts'
import { evidence } from '../../state/memberStores.ts'

/** The receipt of an order that this device keeps; null: there is none, undefined: it is being read. */
export function useKeptReceipt(orderId: string): KeptReceipt | null | undefined {
  const [kept, setKept] = useState<KeptReceipt | null>()
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      const found = await keptReceipt(orderId)
      if (isCurrent) setKept(found)
    }
    void read()
    return () => {
      isCurrent = false
    }
  }, [orderId])
  return kept
}

/** The receipts that this device keeps of these orders, with who signed them, by the order's id. */
export async function signedOf(ids: readonly string[]): Promise<ReadonlyMap<string, KeptReceipt>> {
  const found = await Promise.all(ids.map(async (id) => [id, await keptReceipt(id)] as const))
  return new Map(found.flatMap(([id, kept]) => (kept ? [[id, kept]] : [])))
}

/** The kept receipts of all orders, by the order's id, by any signer. */
export async function keptReceipts(): Promise<ReadonlyMap<string, Receipt>> {
  const receipts = new Map<string, Receipt>()
  for (const [id, text] of await evidence.receipts()) {
    const read = parseSignedReceipt(text)
    if (read) receipts.set(id, read.receipt)
  }
  return receipts
}

/** The fields in which an order is not what its receipt states. */
export const changedFields = (receipt: Receipt | undefined, order: Order): SignedField[] =>
  receipt === undefined ? [] : fieldsNotSigned(receipt, order)

/**
 * The signed orders that a list of all orders, newest first, should have and has not: those accepted after its last order,
 * or all if it is complete. An order accepted after `until` may not have reached the list yet.
 */
export function missingOrders(
  receipts: ReadonlyMap<string, Receipt>,
  orders: readonly Order[],
  { isComplete, until }: { isComplete: boolean; until: number },
): string[] {
  const listed = new Set(orders.map(({ id }) => id))
  const oldest = isComplete ? Number.NEGATIVE_INFINITY : (orders.at(-1)?.acceptedAt ?? until)
  return [...receipts].flatMap(([id, { acceptedAt }]) =>
    !listed.has(id) && acceptedAt > oldest && acceptedAt <= until ? [id] : [],
  )
}
