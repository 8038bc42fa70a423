import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * Runs a call of the member's one at a time: a second tap while the first is under way does nothing. Answers
 * with `busy` for the button; what comes after the component has gone is left to the work itself.
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
