import { useLayoutEffect, useRef } from 'react'
import { noFigure } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'

/** A product's price as it moves. Rendered once: each flush writes the node itself. */
export function LivePrice({ id }: { id: string }) {
  const format = useFormat()
  const { quotes } = useStreams()
  const node = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    let written: number | undefined
    const paint = () => {
      const quote = quotes.get(id)
      if (quote === undefined || quote.price === written || node.current === null) return
      written = quote.price
      node.current.textContent = format.price(quote.price, quote.priceDecimals)
    }
    paint()
    return quotes.watch(id, paint)
  }, [quotes, id, format])
  return <span ref={node}>{noFigure}</span>
}
