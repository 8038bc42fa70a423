import { useEffect, useMemo, useRef } from 'react'
import type { RefObject } from 'react'
import type { LivePnl, Order } from '../../../streams/index.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import type { CountdownSource } from '../../ui/index.ts'

/** What is left of an order, for a ring that writes its own digits. */
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

/** Tells what an order would bring if it ended now, at most once a frame, without rendering anything. */
export function useLivePnl(order: Order, paint: (live: LivePnl) => void): void {
  const { orders } = useStreams()
  const latest = useRef(paint)
  useEffect(() => {
    latest.current = paint
  })
  useEffect(() => {
    const subscription = orders.pnl$(order).subscribe((live) => latest.current(live))
    return () => subscription.unsubscribe()
  }, [orders, order])
}

/** Writes text into a node where it changed: digits that move every frame stay out of React. */
export function writeText(node: RefObject<HTMLElement | null>, text: string): void {
  if (node.current !== null && node.current.textContent !== text) node.current.textContent = text
}
