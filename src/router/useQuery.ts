import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { pathWith } from './hashLocation.ts'

export type SetQuery = (patch: Record<string, string | undefined>) => void

/**
 * The query of the page's address, and a function that changes some of its values: a tab or filter is stored in the
 * address without a new history entry. `undefined` removes a value.
 */
export function useQuery(): [URLSearchParams, SetQuery] {
  const [path, navigate] = useLocation()
  const search = useSearch()
  return useMemo(() => {
    const query = new URLSearchParams(search)
    const set: SetQuery = (patch) =>
      navigate(pathWith(path, { ...Object.fromEntries(query), ...patch }), { replace: true })
    return [query, set]
  }, [path, search, navigate])
}
