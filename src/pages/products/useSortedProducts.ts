import { useMemo } from 'react'
import type { Product } from '../../../streams/index.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { sortProducts, type ProductSort } from './sort.ts'

/** The products in an order that follows their figures once a minute: rows that moved with each price could not be tapped. */
export function useSortedProducts(
  products: readonly Product[] | undefined,
  sort: ProductSort | undefined,
): readonly Product[] | undefined {
  const { lastQuote } = useStreams()
  const language = useLanguage()
  const minute = useMinute()
  return useMemo(
    () => products && sortProducts(products, sort, language, (id) => lastQuote(id)?.ticker),
    // oxlint-disable-next-line react/exhaustive-deps -- `minute` is when the figures are read again
    [products, sort, language, lastQuote, minute],
  )
}
