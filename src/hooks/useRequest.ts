import { useCallback, useEffect, useState } from 'react'
import type { Loadable } from '../../streams/index.ts'
import type { Result } from '../api/result.ts'

/**
 * What the venue answers to a call that no stream carries. `load` must be stable (`useCallback`): another one
 * fetches anew. While `reload` runs, what was there stays, marked as not fresh.
 */
export function useRequest<T>(load: (signal: AbortSignal) => Promise<Result<T>>): {
  loadable: Loadable<T>
  reload: () => void
} {
  const [loadable, setLoadable] = useState<Loadable<T>>({ state: 'loading' })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    setLoadable((before) => (turn === 0 ? { state: 'loading' } : renewing(before)))
    void load(leaving.signal).then((result) => {
      if (leaving.signal.aborted) return
      setLoadable((before) => settled(before, result))
    })
    return () => leaving.abort()
  }, [load, turn])
  const reload = useCallback(() => setTurn((n) => n + 1), [])
  return { loadable, reload }
}

function renewing<T>(before: Loadable<T>): Loadable<T> {
  const value = valueOf(before)
  return value === undefined ? { state: 'loading' } : { state: 'ready', value, fresh: false }
}

function settled<T>(before: Loadable<T>, result: Result<T>): Loadable<T> {
  if (result.ok) return { state: 'ready', value: result.value, fresh: true }
  const value = valueOf(before)
  return { state: 'failed', failure: result.failure, ...(value === undefined ? {} : { value }) }
}

/** What a loadable holds, fresh or not. */
export const valueOf = <T>(loadable: Loadable<T>): T | undefined =>
  loadable.state === 'loading' ? undefined : loadable.value
