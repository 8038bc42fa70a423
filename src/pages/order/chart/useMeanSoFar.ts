import { useEffect, useState } from 'react'
import { formatUnits } from '../../../../contract/price.ts'
import { useStreams } from '../../../hooks/useStreams.ts'
import type { Order } from '../../../../streams/index.ts'

/** The mean of an open order's window so far, as decimal text; undefined before it, and by rule R1. */
export function useMeanSoFar(order: Order): string | undefined {
  const { orders } = useStreams()
  const [mean, setMean] = useState<string>()
  const { rule, priceDecimals } = order.terms
  useEffect(() => {
    if (rule === 'R1') return undefined
    const subscription = orders.pnl$(order).subscribe((live) => {
      setMean(live.mean && formatUnits(live.mean.value, priceDecimals + 1))
    })
    return () => subscription.unsubscribe()
  }, [orders, order, rule, priceDecimals])
  return mean
}
