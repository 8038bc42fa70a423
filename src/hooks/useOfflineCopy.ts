import { useEffect, useState } from 'react'
import type { OfflineCopy } from '../state/offlineStore.ts'

/** What is kept on the device: still being looked up, not there, or as it was last seen. */
export type OfflineCopyState<T> =
  { state: 'reading' } | { state: 'none' } | ({ state: 'found' } & OfflineCopy<T>)
export type ReadOfflineCopy<T> = () => Promise<OfflineCopy<T> | undefined>

/** Looks up what is kept while it is `wanted`, which is where the venue cannot be asked. `read` must be stable. */
export function useOfflineCopy<T>(
  read: ReadOfflineCopy<T>,
  wanted: boolean,
): OfflineCopyState<T> | undefined {
  const [found, setFound] = useState<{ read: ReadOfflineCopy<T>; is: OfflineCopyState<T> }>()
  useEffect(() => {
    if (!wanted) return undefined
    let isUnmounted = false
    const load = async (): Promise<void> => {
      const copy = await read()
      if (!isUnmounted) setFound({ read, is: copy ? { state: 'found', ...copy } : { state: 'none' } })
    }
    void load()
    return () => {
      isUnmounted = true
    }
  }, [read, wanted])
  if (!wanted) return undefined
  return found?.read === read ? found.is : { state: 'reading' }
}

/** What was found, once it was. */
export const offlineCopyValue = <T>(copy: OfflineCopyState<T> | undefined): T | undefined =>
  copy?.state === 'found' ? copy.value : undefined
