import { useState } from 'react'
import { useAction } from '../../src/hooks/useAction.ts'
import type { Result } from '../../src/api/result.ts'
import type { Failure } from '../../streams/index.ts'
import { useRefreshAll } from './useDesk.ts'

/**
 * Makes a call that changes something, one at a time, then asks everything on screen again. `failure` is that of the last
 * try.
 */
export function useRun<Args extends unknown[], T>(
  work: (...args: Args) => Promise<Result<T>>,
  onDone: (answer: T) => void = () => undefined,
) {
  const [failure, setFailure] = useState<Failure>()
  const refresh = useRefreshAll()
  const [run, busy] = useAction(async (...args: Args) => {
    setFailure(undefined)
    const result = await work(...args)
    if (result.ok) onDone(result.value)
    else setFailure(result.failure)
    // Not waited for: the next thing can be done meanwhile.
    void refresh()
  })
  return { run, busy, failure }
}
