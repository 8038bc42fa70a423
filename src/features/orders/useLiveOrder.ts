import { useEffect, useMemo, type RefObject } from 'react'
import type { LivePnl, Order } from '../../../streams/index.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useLatest } from '../../hooks/useLatest.ts'
import type { CountdownSource } from '../../ui/index.ts'

/** An order's remaining time, for a ring that writes its own digits. */
export function useCountdown({ acceptedAt, closeAt, status }: Order): CountdownSource {
  const { orders } = useStreams()
  return useMemo(
    () => (paint) => {
      const subscription = orders
        .countdown$({ acceptedAt, closeAt, status })
        .subscribe(({ remainingMs }) => paint(remainingMs))
      return () => subscription.unsubscribe()
    },
    [orders, acceptedAt, closeAt, status],
  )
}

/** Calls `paint` with the P&L if the order ended now, at most once an animation frame, without rendering. */
export function useLivePnl(order: Order, paint: (live: LivePnl) => void): void {
  const { orders } = useStreams()
  const latestPaint = useLatest(paint)
  useEffect(() => {
    const subscription = orders.pnl$(order).subscribe((live) => latestPaint()(live))
    return () => subscription.unsubscribe()
  }, [orders, order, latestPaint])
}

/** Writes text into a node if it changed: digits that change every animation frame bypass React. */
export function writeText(node: RefObject<HTMLElement | null>, text: string): void {
  if (node.current !== null && node.current.textContent !== text) node.current.textContent = text
}
