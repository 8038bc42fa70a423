import type { Product } from '../../../streams/index.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { valueOf } from '../../hooks/useRequest.ts'
import { useStreams } from '../../hooks/useStreams.ts'

/** A product of the table by its id; undefined until the table is there, or where it holds none. */
export function useProduct(id: string): Product | undefined {
  const { catalog$ } = useStreams()
  return valueOf(useLoadable(catalog$))?.find((product) => product.id === id)
}
