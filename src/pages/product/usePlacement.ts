import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { Subscription } from 'rxjs'
import type { OrderDraft, Order } from '../../../streams/index.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import type { PlacementState } from './placement.ts'
import { afterPlacement, reviewing, closed } from './placement.ts'

/**
 * One order from its draft to the venue's answer. Confirming while a request is in flight does nothing. Leaving the
 * page does not cancel the order; its outcome then shows in the list of positions.
 */
export function usePlacement(accepted: (order: Order) => void) {
  const { orders } = useStreams()
  const [placement, setPlacement] = useState<PlacementState>(closed)
  const subscription = useRef<Subscription>(undefined)
  const onAccepted = useRef(accepted)
  useEffect(() => {
    onAccepted.current = accepted
  })
  useEffect(() => () => subscription.current?.unsubscribe(), [])

  // The tap's own frame does not wait for the sheet.
  const review = useCallback(
    (draft: OrderDraft, rateBpThen?: number) =>
      startTransition(() => setPlacement(reviewing(draft, rateBpThen))),
    [],
  )
  const close = useCallback(
    () => setPlacement((current) => (current.step === 'reviewing' ? closed : current)),
    [],
  )
  const confirm = useCallback(() => {
    if (placement.step !== 'reviewing' || subscription.current?.closed === false) return
    const { draft } = placement
    setPlacement({ step: 'sending', draft })
    subscription.current = orders.place(draft).subscribe((update) => {
      setPlacement(afterPlacement(draft, update))
      if (update.state === 'accepted') onAccepted.current(update.order)
    })
  }, [orders, placement])
  return { placement, review, close, confirm }
}
