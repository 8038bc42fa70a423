import { useCallback, useEffect, useState } from 'react'
import type { Loadable } from '../../streams/index.ts'
import type { Client } from '../api/client.ts'
import type { Result } from '../api/result.ts'
import { useCall } from './useCall.ts'
import { valueOf } from './useObservable.ts'
import { useReconnect } from './useReconnect.ts'

/**
 * The answer to a call, for pages that render before the streams are loaded; all others use `useResource`. `load` must
 * be stable (`useCallback`): another one fetches again, and so does a reconnect (with `once` only if the last attempt
 * failed). During `reload` the previous value stays, marked as not fresh.
 */
export function useRequest<T>(
  load: (call: Client, signal: AbortSignal) => Promise<Result<T>>,
  { once = false }: { once?: boolean } = {},
): { loadable: Loadable<T>; reload: () => void } {
  const call = useCall()
  const [turn, setTurn] = useState(0)
  const [latest, setLatest] = useState<RequestState<T>>({ load, turn, loadable: { state: 'loading' } })
  useEffect(() => {
    const controller = new AbortController()
    const fetchOnce = async (): Promise<void> => {
      const result = await load(call, controller.signal)
      if (controller.signal.aborted) return
      setLatest((before) => ({
        load,
        turn,
        loadable: loadableAfter(before.load === load ? before.loadable : { state: 'loading' }, result),
      }))
    }
    void fetchOnce()
    return () => controller.abort()
  }, [call, load, turn])
  const reload = useCallback(() => setTurn((n) => n + 1), [])
  useReconnect(() => {
    if (!once || latest.loadable.state === 'failed') reload()
  })
  if (latest.load !== load) return { loadable: { state: 'loading' }, reload }
  return { loadable: latest.turn === turn ? latest.loadable : markReloading(latest.loadable), reload }
}

type Load<T> = (call: Client, signal: AbortSignal) => Promise<Result<T>>
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
