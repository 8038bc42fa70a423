import { useEffect, useMemo, useRef } from 'react'
import type { RefObject } from 'react'
import type { LivePnl, Order } from '../../../streams/index.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import type { RingSource } from '../../ui/index.ts'

/** What is left of an order, for a ring that writes its own digits. */
export function useRing({ acceptedAt, closeAt, status }: Order): RingSource {
  const { orders } = useStreams()
  return useMemo(
    () => (paint) => {
      const running = orders
        .countdown$({ acceptedAt, closeAt, status })
        .subscribe(({ remainingMs }) => paint(remainingMs))
      return () => running.unsubscribe()
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
    const running = orders.pnl$(order).subscribe((live) => latest.current(live))
    return () => running.unsubscribe()
  }, [orders, order])
}

/** Writes text into a node where it changed: digits that move every frame stay out of React. */
export function write(node: RefObject<HTMLElement | null>, text: string): void {
  if (node.current !== null && node.current.textContent !== text) node.current.textContent = text
}
