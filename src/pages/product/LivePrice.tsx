import { noFigure } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useQuote } from '../../hooks/useQuote.ts'

/** A product's price as it moves. */
export function LivePrice({ id }: { id: string }) {
  const format = useFormat()
  const quote = useQuote(id)
  return <span>{quote === undefined ? noFigure : format.price(quote.price, quote.priceDecimals)}</span>
}
