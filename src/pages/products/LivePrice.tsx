import { useEffect, useRef } from 'react'
import type { Product } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useQuote } from '../../hooks/useQuote.ts'
import { cx, flash } from '../../ui/index.ts'
import styles from './ProductRow.module.css'

/** A product's price as it moves: ink that flashes in the direction of each change, grey once it is stale. */
export function LivePrice({ product }: { product: Product }) {
  const format = useFormat()
  const quote = useQuote(product.id)
  const node = useRef<HTMLSpanElement>(null)
  const shown = useRef(quote?.price)
  const price = quote?.price
  useEffect(() => {
    const before = shown.current
    shown.current = price
    if (node.current === null || before === undefined || price === undefined || price === before) return
    flash(node.current, price > before ? 'up' : 'down')
  }, [price])
  return (
    <span ref={node} className={cx(styles.price, quote?.stale === true && styles.stale)}>
      {quote ? format.price(quote.price, quote.priceDecimals) : format.decimal(product.last)}
    </span>
  )
}
