import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { pathWith } from './hashLocation.ts'

export type SetQuery = (patch: Record<string, string | undefined>) => void

/**
 * The query of the page's own address, and a way to change some of it in place: a tab or filter is kept in the
 * address without growing the history. `undefined` takes a value out.
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
