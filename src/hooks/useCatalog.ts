import type { Product } from '../../streams/index.ts'
import { offlineStore } from '../state/memberStores.ts'
import { useVenueUnreachable } from './useVenueUnreachable.ts'
import { offlineCopyValue, useOfflineCopy } from './useOfflineCopy.ts'
import { useLoadable, valueOf } from './useObservable.ts'
import { useStreams } from './useStreams.ts'

/** The product table for names, codes and sources; the offline copy if the venue cannot be reached. */
export function useCatalog(): readonly Product[] | undefined {
  const { catalog$ } = useStreams()
  const live = valueOf(useLoadable(catalog$))
  const isUnreachable = useVenueUnreachable()
  const copy = useOfflineCopy(offlineStore.products, live === undefined && isUnreachable)
  return live ?? offlineCopyValue(copy)
}
