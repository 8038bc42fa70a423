import { useEffect } from 'react'
import { useQuery } from '../../router/useQuery.ts'
import type { List } from '../../hooks/useList.ts'

/** A linked item is searched for among this many items. */
const itemsMax = 600

/**
 * The item that the address names (`?id=`). It is searched for page by page, because a link from the capital record
 * may be to an old item. `close` removes the id from the address.
 */
export function useOpened<T extends { id: string }>(list: List<T>) {
  const [query, setQuery] = useQuery()
  const id = query.get('id')
  const opened = id === null ? undefined : list.items.find((item) => item.id === id)
  const { cursor, loading, failure, more, items } = list
  const canLoadMore = typeof cursor === 'string' && items.length < itemsMax && failure === undefined
  const isSearching = id !== null && opened === undefined && canLoadMore && !loading
  useEffect(() => {
    if (isSearching) more()
  }, [isSearching, more])
  return { opened, close: () => setQuery({ id: undefined }) }
}
