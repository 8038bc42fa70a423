import { useEffect, useMemo, useState } from 'react'
import { formatUnits } from '../../../contract/price.ts'
import type { LivePnl, Order } from '../../../streams/index.ts'
import { useStreams } from '../../hooks/useStreams.ts'

const noMeans: ReadonlyMap<string, string> = new Map()

/** The means of open orders' windows so far, as decimal text by order id; none before a window, and by rule R1. */
export function useMeansSoFar(list: readonly Order[]): ReadonlyMap<string, string> {
  const { orders } = useStreams()
  const [means, setMeans] = useState(noMeans)
  useEffect(() => {
    const subscriptions = list
      .filter(({ terms }) => terms.rule === 'R2')
      .map((order) =>
        orders.pnl$(order).subscribe((live) => {
          setMeans((before) => withMean(before, order.id, meanText(order, live)))
        }),
      )
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe()
    }
  }, [orders, list])
  return means
}

/** The mean of one open order's window so far; undefined before it, and by rule R1. */
export function useMeanSoFar(order: Order): string | undefined {
  return useMeansSoFar(useMemo(() => [order], [order])).get(order.id)
}

const meanText = ({ terms }: Order, { mean }: LivePnl): string | undefined =>
  mean && formatUnits(mean.value, terms.priceDecimals + 1)

/** The same map if nothing changed, so that React does not render. */
function withMean(
  before: ReadonlyMap<string, string>,
  id: string,
  mean: string | undefined,
): ReadonlyMap<string, string> {
  if (before.get(id) === mean) return before
  const means = new Map(before)
  if (mean === undefined) means.delete(id)
  else means.set(id, mean)
  return means
}
