import { useEffect, useState } from 'react'
import { productRoutes } from '../../../contract/products.ts'
import { call } from '../../api/venue.ts'

/** A pause in typing long enough to ask. */
const pauseMs = 250
const queryMax = 64
const none: readonly string[] = []

/**
 * The ids of what the venue finds for a search: it knows more names than the product table shows, as pinyin and
 * its initials. Asked after a pause in typing; without an answer the table's own names have to do.
 */
export function useProductSearch(query: string): { ids: readonly string[]; isSearching: boolean } {
  const q = query.trim().slice(0, queryMax)
  const [found, setFound] = useState<{ q: string; ids: readonly string[] }>({ q: '', ids: none })
  useEffect(() => {
    if (q === '') return undefined
    const controller = new AbortController()
    const search = async (): Promise<void> => {
      const result = await call(productRoutes.products, { query: { q } }, { signal: controller.signal })
      if (controller.signal.aborted) return
      setFound({ q, ids: result.ok ? result.value.items.map((product) => product.id) : none })
    }
    const timer = setTimeout(() => void search(), pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [q])
  return found.q === q ? { ids: found.ids, isSearching: false } : { ids: none, isSearching: q !== '' }
}
