import { useCallback, useEffect, useRef, useState } from 'react'
import type { Subscription } from 'rxjs'
import type { OrderDraft, Order } from '../../../streams/index.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import type { PlacementState } from './placement.ts'
import { afterPlacement, reviewing, closed } from './placement.ts'

/**
 * One order from its draft to the venue's answer. A tap while one is on its way does nothing; leaving the page
 * does not call the order back, and its outcome then shows in the list of positions.
 */
export function usePlacement(accepted: (order: Order) => void) {
  const { orders } = useStreams()
  const [placing, setPlacing] = useState<PlacementState>(closed)
  const subscription = useRef<Subscription>(undefined)
  const onAccepted = useRef(accepted)
  useEffect(() => {
    onAccepted.current = accepted
  })
  useEffect(() => () => subscription.current?.unsubscribe(), [])

  const review = useCallback((draft: OrderDraft) => setPlacing(reviewing(draft)), [])
  const close = useCallback(() => setPlacing((now) => (now.step === 'reviewing' ? closed : now)), [])
  const confirm = useCallback(() => {
    if (placing.step !== 'reviewing' || subscription.current?.closed === false) return
    const { draft } = placing
    setPlacing({ step: 'sending', draft })
    subscription.current = orders.place(draft).subscribe((placement) => {
      setPlacing(afterPlacement(draft, placement))
      if (placement.state === 'accepted') onAccepted.current(placement.order)
    })
  }, [orders, placing])
  return { placing, ask: review, close, confirm }
}
