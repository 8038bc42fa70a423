import { useEffect, useState } from 'react'
import { productRoutes } from '../../../contract/products.ts'
import { useCall } from '../../hooks/useCall.ts'

/** The pause in typing before a request. */
const pauseMs = 250
const queryMax = 64
const noIds: readonly string[] = []

/**
 * The ids that the venue finds for a search: it searches more names than the catalogue has, such as pinyin and its
 * initials. Requested after a pause in typing; without an answer only the catalogue's names match.
 */
export function useProductSearch(query: string): { ids: readonly string[]; isSearching: boolean } {
  const call = useCall()
  const q = query.trim().slice(0, queryMax)
  const [found, setFound] = useState<{ q: string; ids: readonly string[] }>({ q: '', ids: noIds })
  useEffect(() => {
    if (q === '') return undefined
    const controller = new AbortController()
    const search = async (): Promise<void> => {
      const result = await call(productRoutes.products, { query: { q } }, { signal: controller.signal })
      if (controller.signal.aborted) return
      setFound({ q, ids: result.ok ? result.value.items.map((product) => product.id) : noIds })
    }
    const timer = setTimeout(() => void search(), pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [call, q])
  return found.q === q ? { ids: found.ids, isSearching: false } : { ids: noIds, isSearching: q !== '' }
}
