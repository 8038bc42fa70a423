import { useEffect, useRef, type RefObject } from 'react'
import type { Order } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { pnlText, toneOf } from './pnl.ts'
import { writeText } from './useLiveOrder.ts'

/**
 * A ref for the P&L of open orders together if they ended now: its node is written with the shared publish of quotes.
 * @param some only these instead of all; a new array starts over
 */
export function useOpenPnlRef(some?: readonly Order[]): RefObject<HTMLSpanElement | null> {
  const format = useFormat()
  const { orders } = useStreams()
  const pnlRef = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const sum$ = some === undefined ? orders.openPnl$ : orders.pnlSum$(some)
    const subscription = sum$.subscribe((pnl) => {
      writeText(pnlRef, pnlText(format, pnl))
      if (pnlRef.current !== null) pnlRef.current.dataset['tone'] = toneOf(pnl)
    })
    return () => subscription.unsubscribe()
  }, [orders, format, some])
  return pnlRef
}
