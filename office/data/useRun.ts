import { useAction } from '../../src/hooks/useAction.ts'
import type { Result } from '../../src/api/result.ts'
import type { Failure } from '../../streams/index.ts'
import { useRefreshAll } from './useOfficeCall.ts'

/**
 * Makes a call that changes something, one at a time, then asks everything on screen again. `failure` is that of the last
 * try.
 */
export function useRun<Args extends unknown[], T>(
  work: (...args: Args) => Promise<Result<T>>,
  onDone: (answer: T) => void = () => undefined,
) {
  const refresh = useRefreshAll()
  const [run, busy, failure] = useAction<Args, Failure>(async (...args) => {
    const result = await work(...args)
    if (result.ok) onDone(result.value)
    // Not waited for: the next thing can be done meanwhile.
    void refresh()
    return result.ok ? undefined : result.failure
  })
  return { run, busy, failure }
}
