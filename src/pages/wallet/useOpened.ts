import { useEffect } from 'react'
import { useQuery } from '../../router/useQuery.ts'
import type { List } from './useList.ts'

/** Further back than this nobody is led by a link. */
const itemsMax = 600

/**
 * The one item that the address names (`?id=`): looked for page by page, because a link from the capital record
 * may lead to an old one. `close` takes the id out of the address.
 */
export function useOpened<T extends { id: string }>(list: List<T>) {
  const [query, setQuery] = useQuery()
  const id = query.get('id')
  const opened = id === null ? undefined : list.items.find((item) => item.id === id)
  const { cursor, loading, failure, more, items } = list
  const further = typeof cursor === 'string' && items.length < itemsMax && failure === undefined
  const seeking = id !== null && opened === undefined && further && !loading
  useEffect(() => {
    if (seeking) more()
  }, [seeking, more])
  return { opened, close: () => setQuery({ id: undefined }) }
}
