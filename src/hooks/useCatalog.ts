import type { Product } from '../../streams/index.ts'
import { offline } from '../state/offlineMember.ts'
import { useAway } from './useAway.ts'
import { keptValue, useKept } from './useKept.ts'
import { useLoadable } from './useObservable.ts'
import { valueOf } from './useRequest.ts'
import { useStreams } from './useStreams.ts'

/** The product table for names, codes and sources; where the venue cannot be reached, as it was last seen. */
export function useCatalog(): readonly Product[] | undefined {
  const { catalog$ } = useStreams()
  const live = valueOf(useLoadable(catalog$))
  const away = useAway()
  const kept = useKept(offline.products, live === undefined && away)
  return live ?? keptValue(kept)
}
