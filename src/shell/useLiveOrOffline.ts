import type { Loadable } from '../../streams/index.ts'
import { useVenueUnreachable } from '../hooks/useVenueUnreachable.ts'
import { offlineCopyValue, useOfflineCopy } from '../hooks/useOfflineCopy.ts'
import type { ReadOfflineCopy } from '../hooks/useOfflineCopy.ts'
import { valueOf } from '../hooks/useRequest.ts'
import { useReportStaleData } from './staleData.ts'

/**
 * What the venue says; where it cannot be reached, what this device saw last, and the page's line tells from when that
 * is. `looking` while the device is still being searched. `read` must be stable.
 */
export function useLiveOrOffline<T>(
  loadable: Loadable<T>,
  read: ReadOfflineCopy<T>,
): { value: T | undefined; isReadingOffline: boolean } {
  const live = valueOf(loadable)
  const isUnreachable = useVenueUnreachable()
  const offlineCopy = useOfflineCopy(read, live === undefined && isUnreachable)
  useReportStaleData(offlineCopy?.state === 'found' ? offlineCopy.at : undefined)
  return { value: live ?? offlineCopyValue(offlineCopy), isReadingOffline: offlineCopy?.state === 'reading' }
}
