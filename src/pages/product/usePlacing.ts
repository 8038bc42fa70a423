import { useCallback, useEffect, useRef, useState } from 'react'
import type { Subscription } from 'rxjs'
import type { IntentDraft, Order } from '../../../streams/index.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import type { Placing } from './placement.ts'
import { afterPlacement, asking, closed } from './placement.ts'

/**
 * One order from its draft to the venue's answer. A tap while one is on its way does nothing; leaving the page
 * does not call the order back, and its outcome then shows in the list of positions.
 */
export function usePlacing(accepted: (order: Order) => void) {
  const { orders } = useStreams()
  const [placing, setPlacing] = useState<Placing>(closed)
  const running = useRef<Subscription>(undefined)
  const onAccepted = useRef(accepted)
  useEffect(() => {
    onAccepted.current = accepted
  })
  useEffect(() => () => running.current?.unsubscribe(), [])

  const ask = useCallback((draft: IntentDraft) => setPlacing(asking(draft)), [])
  const close = useCallback(() => setPlacing((now) => (now.step === 'asking' ? closed : now)), [])
  const confirm = useCallback(() => {
    if (placing.step !== 'asking' || running.current?.closed === false) return
    const { draft } = placing
    setPlacing({ step: 'sending', draft })
    running.current = orders.place(draft).subscribe((placement) => {
      setPlacing(afterPlacement(draft, placement))
      if (placement.state === 'accepted') onAccepted.current(placement.order)
    })
  }, [orders, placing])
  return { placing, ask, close, confirm }
}
