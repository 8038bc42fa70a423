import type { Loadable } from '../../streams/index.ts'
import { useConnection } from '../hooks/useConnection.ts'
import { useVenueUnreachable } from '../hooks/useVenueUnreachable.ts'
import { offlineCopyValue, useOfflineCopy } from '../hooks/useOfflineCopy.ts'
import type { ReadOfflineCopy } from '../hooks/useOfflineCopy.ts'
import { valueOf } from '../hooks/useObservable.ts'
import { useReportStaleData } from './staleData.ts'

/**
 * The live value, or the offline copy while the venue is unreachable; the page then shows the copy's age.
 * `isReadingOffline` while the copy is being read, or will be unless the connection returns soon. `read` must be stable.
 */
export function useLiveOrOffline<T>(
  loadable: Loadable<T>,
  read: ReadOfflineCopy<T>,
): { value: T | undefined; isReadingOffline: boolean } {
  const live = valueOf(loadable)
  const isUnreachable = useVenueUnreachable()
  const isConnecting = useConnection().state !== 'online' && !isUnreachable
  const offlineCopy = useOfflineCopy(read, live === undefined && isUnreachable)
  useReportStaleData(offlineCopy?.state === 'found' ? offlineCopy.at : undefined)
  return {
    value: live ?? offlineCopyValue(offlineCopy),
    isReadingOffline: isConnecting || offlineCopy?.state === 'reading',
  }
}
