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
export function useVenueMatches(query: string): { ids: readonly string[]; asking: boolean } {
  const q = query.trim().slice(0, queryMax)
  const [found, setFound] = useState<{ q: string; ids: readonly string[] }>({ q: '', ids: none })
  useEffect(() => {
    if (q === '') return undefined
    const leaving = new AbortController()
    const ask = async (): Promise<void> => {
      const result = await call(productRoutes.products, { query: { q } }, { signal: leaving.signal })
      if (leaving.signal.aborted) return
      setFound({ q, ids: result.ok ? result.value.items.map((product) => product.id) : none })
    }
    const timer = setTimeout(() => void ask(), pauseMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [q])
  return found.q === q ? { ids: found.ids, asking: false } : { ids: none, asking: q !== '' }
}
