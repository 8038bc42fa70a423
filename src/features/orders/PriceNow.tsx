import { useEffect, useRef } from 'react'
import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { writeText } from './useLiveOrder.ts'

/** The price at which an open order would end now, also before its entry. Written at each quote, without React. */
export function PriceNow({ order }: { order: Order }) {
  const format = useFormat()
  const { quote$ } = useStreams()
  const node = useRef<HTMLSpanElement>(null)
  const { productId, closeAt } = order
  const { priceDecimals } = order.terms
  useEffect(() => {
    const quotes = quote$(productId).subscribe((quote) => {
      // A price after the close no longer counts: keep the last one before it.
      if (quote.at > closeAt) return
      writeText(node, quote.stale ? noValue : format.price(quote.price, priceDecimals))
    })
    return () => quotes.unsubscribe()
  }, [quote$, format, productId, closeAt, priceDecimals])
  return <span ref={node}>{noValue}</span>
}
