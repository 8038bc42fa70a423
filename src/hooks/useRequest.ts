import { useCallback, useEffect, useState } from 'react'
import type { Loadable } from '../../streams/index.ts'
import type { Result } from '../api/result.ts'
import { useReconnect } from './useReconnect.ts'

/**
 * What the venue answers to a call that no stream carries. `load` must be stable (`useCallback`): another one
 * fetches anew, and so does a reconnect; with `once` only where there was no answer. While `reload` runs, what was there
 * stays, marked as not fresh.
 */
export function useRequest<T>(
  load: (signal: AbortSignal) => Promise<Result<T>>,
  { once = false }: { once?: boolean } = {},
): { loadable: Loadable<T>; reload: () => void } {
  const [turn, setTurn] = useState(0)
  const [told, setTold] = useState<Told<T>>({ load, turn, loadable: { state: 'loading' } })
  useEffect(() => {
    const leaving = new AbortController()
    const fetchOnce = async (): Promise<void> => {
      const result = await load(leaving.signal)
      if (leaving.signal.aborted) return
      setTold((before) => ({
        load,
        turn,
        loadable: settled(before.load === load ? before.loadable : { state: 'loading' }, result),
      }))
    }
    void fetchOnce()
    return () => leaving.abort()
  }, [load, turn])
  const reload = useCallback(() => setTurn((n) => n + 1), [])
  useReconnect(() => {
    if (!once || told.loadable.state === 'failed') reload()
  })
  if (told.load !== load) return { loadable: { state: 'loading' }, reload }
  return { loadable: told.turn === turn ? told.loadable : renewing(told.loadable), reload }
}

type Load<T> = (signal: AbortSignal) => Promise<Result<T>>
/** What was told last, and of which call. */
type Told<T> = { load: Load<T>; turn: number; loadable: Loadable<T> }

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
