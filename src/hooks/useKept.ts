import { useEffect, useState } from 'react'
import type { Kept } from '../state/offline.ts'

/** What is kept on the device: still being looked up, not there, or as it was last seen. */
export type KeptState<T> = { state: 'reading' } | { state: 'none' } | ({ state: 'kept' } & Kept<T>)
export type ReadKept<T> = () => Promise<Kept<T> | undefined>

/** Looks up what is kept while it is `wanted`, which is where the venue cannot be asked. `read` must be stable. */
export function useKept<T>(read: ReadKept<T>, wanted: boolean): KeptState<T> | undefined {
  const [found, setFound] = useState<{ read: ReadKept<T>; is: KeptState<T> }>()
  useEffect(() => {
    if (!wanted) return undefined
    let left = false
    const look = async (): Promise<void> => {
      const kept = await read()
      if (!left) setFound({ read, is: kept ? { state: 'kept', ...kept } : { state: 'none' } })
    }
    void look()
    return () => {
      left = true
    }
  }, [read, wanted])
  if (!wanted) return undefined
  return found?.read === read ? found.is : { state: 'reading' }
}

/** What was found, once it was. */
export const keptValue = <T>(kept: KeptState<T> | undefined): T | undefined =>
  kept?.state === 'kept' ? kept.value : undefined
