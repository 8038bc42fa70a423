import type { Loadable } from '../../streams/index.ts'
import { useConnection } from '../hooks/useConnection.ts'
import { useVenueUnreachable } from '../hooks/useVenueUnreachable.ts'
import { useOfflineCopy, type ReadOfflineCopy } from '../hooks/useOfflineCopy.ts'
import { valueOf } from '../hooks/useObservable.ts'
import { useReportStaleData } from './staleData.ts'

/**
 * The live value, or the offline copy while the venue is unreachable; the page then shows the copy's age. Loading also while
 * the copy is being read, or will be unless the connection returns soon. `read` must be stable.
 */
export function useLiveOrOffline<T>(loadable: Loadable<T>, read: ReadOfflineCopy<T>): Loadable<T> {
  const hasLive = valueOf(loadable) !== undefined
  const isUnreachable = useVenueUnreachable()
  const isConnecting = useConnection().state !== 'online' && !isUnreachable
  const offlineCopy = useOfflineCopy(read, !hasLive && isUnreachable)
  useReportStaleData(offlineCopy?.state === 'found' ? offlineCopy.at : undefined)
  if (hasLive) return loadable
  if (offlineCopy?.state === 'found') return { state: 'ready', value: offlineCopy.value, fresh: false }
  return isConnecting || offlineCopy?.state === 'reading' ? { state: 'loading' } : loadable
}
