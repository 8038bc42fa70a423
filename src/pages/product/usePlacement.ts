import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { Subscription } from 'rxjs'
import type { OrderDraft } from '../../../streams/index.ts'
import { showOutcome } from '../../features/orders/shownOutcomes.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { ticket } from '../../state/ticket.ts'
import { session } from '../../state/session.ts'
import { afterPlacement, reviewing, closed, type PlacementState } from './placement.ts'

/** Two taps on a phone within this time, ms, mean one order, even if the first has its answer: not all browsers count taps. */
const doubleTapMs = 400

/**
 * One order from its draft to the venue's answer. Confirming while a request is in flight does nothing. Leaving the
 * page does not cancel the order; its outcome is then reported on every page.
 */
export function usePlacement() {
  const { orders } = useStreams()
  const [placement, setPlacement] = useState<PlacementState>(closed)
  const subscription = useRef<Subscription>(undefined)
  useEffect(() => () => subscription.current?.unsubscribe(), [])

  // The tap's own frame does not wait for the sheet.
  const review = useCallback(
    (draft: OrderDraft, rateBpThen?: number) =>
      startTransition(() =>
        setPlacement(reviewing({ ...draft, openedFor: session.userInfo?.id }, rateBpThen)),
      ),
    [],
  )
  const close = useCallback(
    () => setPlacement((current) => (current.step === 'reviewing' ? closed : current)),
    [],
  )
  const place = useCallback(
    (draft: OrderDraft, sending: 'sending' | 'placing') => {
      if (subscription.current?.closed === false) return
      setPlacement({ step: sending, draft })
      // The field starts again with the usual amount, as far as the balance then allows.
      ticket.amount = undefined
      const running = new Subscription(showOutcome(draft))
      subscription.current = running
      if (sending === 'placing') {
        ticket.placing = draft.direction
        running.add(() => {
          ticket.placing = undefined
        })
      }
      running.add(
        orders.place(draft).subscribe({
          next: (update) => setPlacement(afterPlacement(draft, update, sending)),
          complete: () => running.unsubscribe(),
        }),
      )
    },
    [orders],
  )
  const confirm = useCallback(() => {
    if (placement.step === 'reviewing') place(placement.draft, 'sending')
  }, [place, placement])
  const tappedAt = useRef(Number.NEGATIVE_INFINITY)
  /** By one tap: the sheet opens only if the order is not placed, or that is not known. */
  const placeAtOnce = useCallback(
    (draft: OrderDraft) => {
      const now = performance.now()
      if (now - tappedAt.current < doubleTapMs) return
      tappedAt.current = now
      place({ ...draft, openedFor: session.userInfo?.id }, 'placing')
    },
    [place],
  )
  return { placement, review, close, confirm, placeAtOnce }
}
