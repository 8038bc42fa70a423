import { useEffect, useState } from 'react'
import type { OfflineCopy } from '../state/offlineStore.ts'

/** The offline copy: being read, missing, or as it was last seen. */
export type OfflineCopyState<T> =
  | { state: 'reading' }
  | { state: 'none' }
  | ({ state: 'found' } & OfflineCopy<T>)
export type ReadOfflineCopy<T> = () => Promise<OfflineCopy<T> | undefined>

/** Reads the offline copy while it is `wanted`, because the venue cannot be reached. `read` must be stable. */
export function useOfflineCopy<T>(
  read: ReadOfflineCopy<T>,
  wanted: boolean,
): OfflineCopyState<T> | undefined {
  const [latest, setLatest] = useState<{ read: ReadOfflineCopy<T>; copy: OfflineCopyState<T> }>()
  useEffect(() => {
    if (!wanted) return undefined
    let isUnmounted = false
    const load = async (): Promise<void> => {
      const copy = await read()
      if (!isUnmounted) setLatest({ read, copy: copy ? { state: 'found', ...copy } : { state: 'none' } })
    }
    void load()
    return () => {
      isUnmounted = true
    }
  }, [read, wanted])
  if (!wanted) return undefined
  return latest?.read === read ? latest.copy : { state: 'reading' }
}

/** The value of the copy, if there is one. */
export const offlineCopyValue = <T>(copy: OfflineCopyState<T> | undefined): T | undefined =>
  copy?.state === 'found' ? copy.value : undefined
