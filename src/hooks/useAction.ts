import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * Runs an action of the member, one at a time: a second tap while the first is running does nothing. Returns `busy`
 * for the button; the work continues after the component has unmounted.
 */
export function useAction<Args extends unknown[]>(
  work: (...args: Args) => Promise<void>,
): [run: (...args: Args) => void, busy: boolean] {
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const latest = useRef(work)
  useEffect(() => {
    latest.current = work
  })
  const run = useCallback((...args: Args) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    void latest.current(...args).finally(() => {
      running.current = false
      setBusy(false)
    })
  }, [])
  return [run, busy]
}
