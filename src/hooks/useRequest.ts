import { useCallback, useEffect, useState } from 'react'
import type { Loadable } from '../../streams/index.ts'
import type { Result } from '../api/result.ts'
import { useReconnect } from './useReconnect.ts'

/**
 * The answer to a call that no stream covers. `load` must be stable (`useCallback`): another one fetches again, and so
 * does a reconnect (with `once` only if the last attempt failed). During `reload` the previous value stays, marked as
 * not fresh.
 */
export function useRequest<T>(
  load: (signal: AbortSignal) => Promise<Result<T>>,
  { once = false }: { once?: boolean } = {},
): { loadable: Loadable<T>; reload: () => void } {
  const [turn, setTurn] = useState(0)
  const [latest, setLatest] = useState<RequestState<T>>({ load, turn, loadable: { state: 'loading' } })
  useEffect(() => {
    const controller = new AbortController()
    const fetchOnce = async (): Promise<void> => {
      const result = await load(controller.signal)
      if (controller.signal.aborted) return
      setLatest((before) => ({
        load,
        turn,
        loadable: loadableAfter(before.load === load ? before.loadable : { state: 'loading' }, result),
      }))
    }
    void fetchOnce()
    return () => controller.abort()
  }, [load, turn])
  const reload = useCallback(() => setTurn((n) => n + 1), [])
  useReconnect(() => {
    if (!once || latest.loadable.state === 'failed') reload()
  })
  if (latest.load !== load) return { loadable: { state: 'loading' }, reload }
  return { loadable: latest.turn === turn ? latest.loadable : markReloading(latest.loadable), reload }
}

type Load<T> = (signal: AbortSignal) => Promise<Result<T>>
/** The last result, and the call it belongs to. */
type RequestState<T> = { load: Load<T>; turn: number; loadable: Loadable<T> }

function markReloading<T>(before: Loadable<T>): Loadable<T> {
  const value = valueOf(before)
  return value === undefined ? { state: 'loading' } : { state: 'ready', value, fresh: false }
}

function loadableAfter<T>(before: Loadable<T>, result: Result<T>): Loadable<T> {
  if (result.ok) return { state: 'ready', value: result.value, fresh: true }
  const value = valueOf(before)
  return { state: 'failed', failure: result.failure, ...(value === undefined ? {} : { value }) }
}

/** The value of a loadable, fresh or not. */
export const valueOf = <T>(loadable: Loadable<T>): T | undefined =>
  loadable.state === 'loading' ? undefined : loadable.value
