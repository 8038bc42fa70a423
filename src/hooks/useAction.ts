import { useCallback, useRef, useState } from 'react'
import { useLatest } from './useLatest.ts'

/**
 * Runs an action of the member, one at a time: a second tap while the first is running does nothing. Returns `busy`
 * for the button, and why the last run failed: what `work` returned, undefined again as soon as the next run begins. The
 * work continues after the component has unmounted.
 */
export function useAction<Args extends unknown[], F = never>(
  work: (...args: Args) => Promise<F | undefined | void>,
): [
  run: (...args: Args) => void,
  busy: boolean,
  failed: F | undefined,
  setFailed: (failed: F | undefined) => void,
] {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<F>()
  const running = useRef(false)
  const latestWork = useLatest(work)
  const run = useCallback(
    (...args: Args) => {
      if (running.current) return
      running.current = true
      setBusy(true)
      setFailed(undefined)
      void latestWork()(...args)
        .then((reason) => setFailed(reason ?? undefined))
        .finally(() => {
          running.current = false
          setBusy(false)
        })
    },
    [latestWork],
  )
  return [run, busy, failed, setFailed]
}
