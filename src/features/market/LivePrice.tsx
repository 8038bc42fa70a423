import { useLayoutEffect, useRef } from 'react'
import { noValue } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { flash } from '../../ui/flash.ts'
import { hasPrice } from './productDisplay.ts'

export type LivePriceProps = {
  id: string
  /** Shown until the first quote: the price from the catalogue. */
  last?: string
  /** Flashes in the direction of each change. */
  flashing?: boolean
  className?: string | undefined
}

/** A product's live price. Rendered once: each quote writes the text node directly, without React. */
export function LivePrice({ id, last, flashing = false, className }: LivePriceProps) {
  const format = useFormat()
  const { quote$ } = useStreams()
  const node = useRef<HTMLSpanElement>(null)
  const initialText = last === undefined || !hasPrice({ last }) ? noValue : format.decimal(last)
  useLayoutEffect(() => {
    const box = node.current
    if (box === null) return undefined
    let shownPrice: number | undefined
    // One text node for all prices: only its data changes, no nodes are added or removed.
    const text = document.createTextNode(initialText)
    box.replaceChildren(text)
    const quotes = quote$(id).subscribe((quote) => {
      if (quote.price === shownPrice) return
      text.data = format.price(quote.price, quote.priceDecimals)
      if (flashing && shownPrice) flash(box, quote.price > shownPrice ? 'up' : 'down')
      shownPrice = quote.price
    })
    return () => quotes.unsubscribe()
  }, [quote$, id, format, flashing, initialText])
  return <span ref={node} className={className} />
}
