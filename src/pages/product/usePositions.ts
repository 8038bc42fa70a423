import { useEffect, useMemo, useState } from 'react'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'

/** Results stay visible until they are dismissed; above this number the oldest is removed. */
const settledMax = 3

const noOrders: readonly Order[] = []

/**
 * The member's open orders on a product, and those that settled while its page was open. The page must be keyed by the
 * product. `open` is undefined until loaded.
 */
export function usePositions(productId: string) {
  const { orders } = useStreams()
  const all = valueOf(useLoadable(orders.open$))
  const open = useMemo(() => all?.filter((order) => order.productId === productId), [all, productId])
  const [settled, setSettled] = useState<readonly Order[]>(noOrders)
  useEffect(() => {
    const results = orders.event$.subscribe((order) => {
      if (order.productId !== productId || !isFinal(order.status)) return
      setSettled((before) => [order, ...before.filter(({ id }) => id !== order.id)].slice(0, settledMax))
    })
    return () => results.unsubscribe()
  }, [orders, productId])
  const dismiss = (id: string) => setSettled((before) => before.filter((order) => order.id !== id))
  return { open, settled, dismiss }
}
