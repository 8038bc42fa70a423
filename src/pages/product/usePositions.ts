import { useEffect, useMemo, useState } from 'react'
import { isFinal } from '../../../contract/orders.ts'
import type { Order } from '../../../streams/index.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { valueOf } from '../../hooks/useRequest.ts'
import { useStreams } from '../../hooks/useStreams.ts'

/** Results that stay in view until they are dismissed; more than these push the oldest out. */
const settledMax = 3

const none: readonly Order[] = []

/** For a page that is made anew with each product: the member's open orders on it, and those that settled while its page was open. What is open is undefined while it is not known. */
export function usePositions(productId: string) {
  const { orders } = useStreams()
  const all = valueOf(useLoadable(orders.open$))
  const open = useMemo(() => all?.filter((order) => order.productId === productId), [all, productId])
  const [settled, setSettled] = useState<readonly Order[]>(none)
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
