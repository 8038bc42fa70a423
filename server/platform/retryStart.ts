import { setTimeout as wait } from 'node:timers/promises'
import { backoffMs } from '../../contract/backoff.ts'
import { secondMs } from '../../contract/time.ts'

const [firstPauseMs, maxPauseMs] = [100, secondMs]

/**
 * Opens what a start needs and what may be starting too, as after a restart of everything: tries again for a bounded time.
 * @param maxWaitMs how long it is worth trying again after an error; 0 if not at all
 * @param onWaiting called once, before the first wait
 * @throws the error of the last try
 */
export async function retryStart<T>(
  open: () => Promise<T>,
  maxWaitMs: (error: unknown) => number,
  onWaiting: (error: unknown) => void,
): Promise<T> {
  const begunAt = performance.now()
  for (let failures = 1; ; failures += 1) {
    try {
      return await open()
    } catch (error) {
      if (maxWaitMs(error) <= performance.now() - begunAt) throw error
      if (failures === 1) onWaiting(error)
      await wait(backoffMs(failures, firstPauseMs, maxPauseMs))
    }
  }
}
