import { useEffect, useRef, type RefObject } from 'react'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { pnlText, toneOf } from './pnl.ts'
import { writeText } from './useLiveOrder.ts'

/** A ref for the P&L of all open orders together if they ended now: its node is written with the shared publish of quotes. */
export function useOpenPnlRef(): RefObject<HTMLSpanElement | null> {
  const format = useFormat()
  const { orders } = useStreams()
  const pnlRef = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const subscription = orders.openPnl$.subscribe((pnl) => {
      writeText(pnlRef, pnlText(format, pnl))
      if (pnlRef.current !== null) pnlRef.current.dataset['tone'] = toneOf(pnl)
    })
    return () => subscription.unsubscribe()
  }, [orders, format])
  return pnlRef
}
