import type { Loadable } from '../../streams/index.ts'
import { useAway } from '../hooks/useAway.ts'
import { keptValue, useKept } from '../hooks/useKept.ts'
import type { ReadKept } from '../hooks/useKept.ts'
import { valueOf } from '../hooks/useRequest.ts'
import { useAsOf } from './asOf.ts'

/**
 * What the venue says; where it cannot be reached, what this device saw last, and the page's line tells from when that
 * is. `looking` while the device is still being searched. `read` must be stable.
 */
export function useLiveOrKept<T>(
  loadable: Loadable<T>,
  read: ReadKept<T>,
): { value: T | undefined; looking: boolean } {
  const live = valueOf(loadable)
  const away = useAway()
  const kept = useKept(read, live === undefined && away)
  useAsOf(kept?.state === 'kept' ? kept.at : undefined)
  return { value: live ?? keptValue(kept), looking: kept?.state === 'reading' }
}
