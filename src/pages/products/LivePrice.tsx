import { useLayoutEffect, useRef } from 'react'
import { noValue } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { flash } from '../../ui/flash.ts'

export type LivePriceProps = {
  id: string
  /** Shown until the first quote: the price as the product table gave it. */
  last?: string
  /** Lights up in the direction of each change. */
  flashing?: boolean
  className?: string | undefined
}

/** A product's price as it moves. Rendered once: each flush writes the node itself, and React stays out of it. */
export function LivePrice({ id, last, flashing = false, className }: LivePriceProps) {
  const format = useFormat()
  const { quotes } = useStreams()
  const node = useRef<HTMLSpanElement>(null)
  const initialText = last === undefined ? noValue : format.decimal(last)
  useLayoutEffect(() => {
    const box = node.current
    if (box === null) return undefined
    let written: number | undefined
    // One text node for all prices: its words change, and nothing is made or taken away.
    const text = document.createTextNode(initialText)
    box.replaceChildren(text)
    const paint = (): void => {
      const quote = quotes.get(id)
      if (quote === undefined || quote.price === written) return
      text.data = format.price(quote.price, quote.priceDecimals)
      if (flashing && written !== undefined) flash(box, quote.price > written ? 'up' : 'down')
      written = quote.price
    }
    paint()
    return quotes.watch(id, paint)
  }, [quotes, id, format, flashing, initialText])
  return <span ref={node} className={className} />
}
