import { useEffect, useState } from 'react'
import { minuteMs } from '../../../contract/time.ts'
import type { Order } from '../../../streams/index.ts'
import { changedFields, keptReceipts, missingOrders, signedOf } from '../../features/orders/signedOrder.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import type { KeptReceipt } from '../../proof/keptReceipt.ts'

/** How a list differs from the receipts: those of orders that are not as their receipt states, and of missing ones, by the order's id. */
type SignedOrders = Record<'changed' | 'missing', ReadonlyMap<string, KeptReceipt>>

const none: SignedOrders = { changed: new Map(), missing: new Map() }

/**
 * Compares a list with the receipts that this device keeps.
 * @param cursor of a list of all orders, null if it is complete; undefined: no order counts as missing
 */
export function useSignedOrders(orders: readonly Order[], cursor: string | null | undefined): SignedOrders {
  const { clock } = useStreams()
  const [found, setFound] = useState(none)
  useEffect(() => {
    let isCurrent = true
    const compare = async () => {
      const receipts = await keptReceipts()
      const changed = orders.filter((order) => changedFields(receipts.get(order.id), order).length > 0)
      const span = { isComplete: cursor === null, until: clock.now() - minuteMs }
      const missing = cursor === undefined ? [] : missingOrders(receipts, orders, span)
      // Most lists have neither, and no signature is verified.
      const signed = {
        changed: await signedOf(changed.map(({ id }) => id)),
        missing: await signedOf(missing),
      }
      if (isCurrent) setFound(signed)
    }
    void compare()
    return () => {
      isCurrent = false
    }
  }, [orders, cursor, clock])
  return found
}
